import { useRef } from "preact/hooks";
import { randomText } from "../../app/clock.js";

/**
 * Returns a function that sends a draft. If the response is lost, and the human sends the same draft again,
 * it takes effect only once.
 * @param as the handle that sends
 */
export function useOnce(as: string) {
  const last = useRef<{ draft: string; idempotencyKey: string } | undefined>(undefined);
  return async <Input, Output>(
    input: Input,
    send: (input: Input, options: { idempotencyKey: string }) => PromiseLike<Output>,
  ): Promise<Output> => {
    const draft = JSON.stringify([as, input]);
    if (last.current?.draft !== draft) last.current = { draft, idempotencyKey: randomText() };
    const { idempotencyKey } = last.current;
    const output = await send(input, { idempotencyKey });
    last.current = undefined;
    return output;
  };
}
