/** Reads responses that stream JSON lines. */
import type { AttemptSignal } from "./attempt-signal.js";
import { ConnectionFault } from "./fault.js";
import { assertBodySize } from "./response.js";

/**
 * Parses a body line by line and yields each value. The last line of a complete body is `{"type": "end",
 * "lines": N}`. Throws a `WireroomError` for a line that is too large.
 * @param incomplete creates the error for a body without a valid last line
 */
export async function* parseLines<Line>(
  body: AsyncIterable<Uint8Array>,
  attempt: AttemptSignal,
  incomplete: (lines: number) => Error,
): AsyncGenerator<Line, void, undefined> {
  let last: unknown;
  let count = 0;
  for await (const text of textLines(body, attempt)) {
    try {
      last = JSON.parse(text);
    } catch {
      throw incomplete(count);
    }
    count++;
    yield last as Line;
  }
  const { type, lines } = (last ?? {}) as { type?: unknown; lines?: unknown };
  if (type !== "end" || lines !== count - 1) throw incomplete(count);
}

/** Pauses the timeout while the caller processes a line. */
async function* textLines(
  body: AsyncIterable<Uint8Array>,
  attempt: AttemptSignal,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const chunks = body[Symbol.asyncIterator]();
  /** Joined only once per line, so that long lines take linear time. */
  let parts: string[] = [];
  let length = 0;
  try {
    for (;;) {
      attempt.restart();
      const { done, value } = await chunks.next().catch((error) => {
        throw new ConnectionFault(error);
      });
      attempt.pause();
      if (done) break;
      const [first = "", ...others] = decoder.decode(value, { stream: true }).split("\n");
      parts.push(first);
      length += first.length;
      assertBodySize(length, 200);
      if (others.length === 0) continue;
      yield parts.join("");
      const last = others.pop()!;
      yield* others;
      parts = [last];
      length = last.length;
    }
    if (length > 0) yield parts.join("");
  } finally {
    // Close the response, because the caller may stop reading before the end.
    await chunks.return?.();
  }
}
