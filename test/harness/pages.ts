/** Lists that are answered page by page. */
import { expect } from "vitest";
import type { Body, Client } from "./daemon.js";
import { ok } from "./talk.js";

/**
 * Every item of a list, in order, read by cursors to the end.
 * @param path may already carry a query
 * @param items name of the array in the answer
 */
export async function everyPage(reader: Client, path: string, items: string, limit: number): Promise<Body[]> {
  const found: Body[] = [];
  const start = `${path}${path.includes("?") ? "&" : "?"}limit=${limit}`;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Body = await ok(reader.get(cursor ? `${start}&cursor=${encodeURIComponent(cursor)}` : start));
    expect(page[items].length).toBeLessThanOrEqual(limit);
    found.push(...page[items]);
    cursor = page.next_cursor as string | null;
    if (cursor !== null) expect(page[items]).toHaveLength(limit);
  }
  return found;
}
