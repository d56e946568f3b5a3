/** Answers calls with the examples of the contract, as a service would that never changes. */
import { HttpResponse } from "msw";
import { sleep } from "../runtime/clock.js";

/** The `next_cursor` after the items of an example. */
const END = "end-of-example";
/** Of `wait`, at most 50 seconds count (docs/specification/reading.md#inbox). */
const MAX_WAIT_SECONDS = 50;

/**
 * Returns the example. Of a list it is a page: after it come no items, and a call that waits for more gets an
 * empty page when its time is up. So a program that reads on does not get the same items again and again.
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
