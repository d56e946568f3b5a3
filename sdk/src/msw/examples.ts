/** Answers calls with the contract's examples, like a service whose data never changes. */
import { HttpResponse } from "msw";
import { sleep } from "../runtime/clock.js";

/** The `next_cursor` that follows an example page. */
const END = "end-of-example";
/** Maximum duration of a long poll in the service (docs/specification/limits.md). */
const MAX_WAIT_SECONDS = 50;

/**
 * Returns the example. A list has only this page. A request for the next page waits like a long poll and
 * returns an empty page. So a program that reads in a loop does not get the same items forever.
 */
export async function answerWithExample(
  example: object,
  { cursor, wait }: { cursor?: string; wait?: number },
  signal: AbortSignal,
): Promise<object> {
  if (!("next_cursor" in example)) return example;
  const next_cursor = example.next_cursor !== null || wait !== undefined ? END : null;
  if (cursor !== END && cursor !== "latest") return { ...example, next_cursor };
  if (wait && cursor === END) {
    const isAborted = await sleep(Math.min(wait, MAX_WAIT_SECONDS) * 1_000, signal).then(
      () => false,
      () => true,
    );
    if (isAborted) return HttpResponse.error();
  }
  const empty = Object.entries(example).map(([name, value]) => [name, Array.isArray(value) ? [] : value]);
  return { ...Object.fromEntries(empty), next_cursor };
}
