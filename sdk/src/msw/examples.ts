/** Answers calls with the contract's examples, like a service whose data never changes. */
import { HttpResponse } from "msw";
import { sleep } from "../runtime/clock.js";

/** The `next_cursor` that follows an example page. */
const END = "end-of-example";
/** The service holds a request for at most this time (docs/specification/reading.md#inbox). */
const MAX_WAIT_SECONDS = 50;

/**
 * Returns the example. If the example is a list, it is the only page: a call with its cursor waits like a
 * long poll and then returns an empty page, so that a program that reads on does not get the same items
 * forever.
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
