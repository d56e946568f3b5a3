import { useRef } from "preact/hooks";
import { randomText } from "../../app/clock.js";

/**
 * Returns a function that sends a draft. Sending the same draft again, for example after a lost response,
 * reuses the idempotency key, so the draft is sent only once.
 * @param as slug of the sending handle
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
