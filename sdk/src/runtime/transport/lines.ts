/** Answers that are JSON lines, read as they come in. */
import type { AttemptSignal } from "./attempt-signal.js";

/**
 * Every line of a body, parsed. The service ends such an answer with `{"type": "end", "lines": N}`, which is given as well.
 * @param cut makes the error for a body that ends without it
 */
export async function* linesOf<Line>(
  body: AsyncIterable<Uint8Array>,
  attempt: AttemptSignal,
  cut: (lines: number) => Error,
): AsyncGenerator<Line, void, undefined> {
  let last: unknown;
  let count = 0;
  for await (const text of textLines(body, attempt)) {
    try {
      last = JSON.parse(text);
    } catch {
      throw cut(count);
    }
    count++;
    yield last as Line;
  }
  const { type, lines } = (last ?? {}) as { type?: unknown; lines?: unknown };
  if (type !== "end" || lines !== count - 1) throw cut(count);
}

/** Time runs only while something is waited for, not while the caller works on a line. */
async function* textLines(
  body: AsyncIterable<Uint8Array>,
  attempt: AttemptSignal,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const chunks = body[Symbol.asyncIterator]();
  let rest = "";
  try {
    for (;;) {
      attempt.restart();
      const { done, value } = await chunks.next();
      attempt.pause();
      if (done) break;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = parts.pop()!;
      yield* parts;
    }
    if (rest !== "") yield rest;
  } finally {
    // Who stops reading closes the answer.
    await chunks.return?.();
  }
}
