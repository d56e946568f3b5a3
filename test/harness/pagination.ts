/** Reads paginated lists. */
import { expect } from "vitest";
import { expectOk } from "./api-helpers.js";
import type { Body, Client } from "./daemon.js";

/**
 * Reads all pages of a list by cursor, and checks the page sizes.
 *
 * @param path path of the list, optionally with a query
 * @param items name of the array in the response
 * @returns the items in order
 */
export async function readAllPages(
  reader: Client,
  path: string,
  items: string,
  limit: number,
): Promise<Body[]> {
  const found: Body[] = [];
  const start = `${path}${path.includes("?") ? "&" : "?"}limit=${limit}`;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Body = await expectOk(
      reader.get(cursor ? `${start}&cursor=${encodeURIComponent(cursor)}` : start),
    );
    expect(page[items].length).toBeLessThanOrEqual(limit);
    found.push(...page[items]);
    cursor = page.next_cursor as string | null;
    if (cursor !== null) expect(page[items]).toHaveLength(limit);
  }
  return found;
}
