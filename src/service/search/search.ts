/** Full-text search in a space, in direct messages and in the switchboard. */

import type { Input } from "../../contract/index.js";
import type { EntityResult } from "../../contract/shapes.js";
import { parseWebSearch } from "../../domain/web-search.js";
import { RawJson } from "../../kernel/raw-json.js";
import { messagesScope, spaceScope } from "../../store/fulltext/index.js";
import { type EntityKind, findEntities } from "../../store/switchboard.js";
import { searchWires } from "../../store/wires/search.js";
import type { SpaceRules } from "../../store/wires/wires.js";
import { readableSpaceBatched } from "../access/spaces.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, invalidCursor } from "../pipeline/pages.js";
import { presentWires, shortenFor } from "../reading/present-wire.js";

export const searchSpace = read("spaces.search", async (ctx, input) => {
  const offset = offsetOf(input.cursor);
  const space = await readableSpaceBatched(ctx, input.slug);
  const floor = await ctx.store.floors.of(space.retainDays);
  return searchScope(ctx, input, { scope: spaceScope(space.pk), space, floor, offset });
});

export const searchMessages = read("wires.search", async (ctx, input) => {
  const { store, caller } = ctx;
  const offset = offsetOf(input.cursor);
  const floor = await store.floors.of(null);
  await searchSerially(ctx, () => store.messageIndexing.indexFor(caller.pk));
  return searchScope(ctx, input, { scope: messagesScope(caller.pk), space: null, floor, offset });
});

interface Scope {
  scope: string;
  /** Null for direct messages. */
  space: SpaceRules | null;
  floor: number;
  offset: number;
}

async function searchScope(
  ctx: Context<Agent>,
  { q, limit = DEFAULT_PAGE_SIZE, brief }: Input<"wires.search">,
  { space, ...place }: Scope,
) {
  const node = parseWebSearch(q);
  if (!node) return { wires: [], next_cursor: null };
  const { wires, next } = await searchSerially(ctx, () =>
    searchWires(ctx.store.engine, { ...place, node, limit, shorten: shortenFor(brief) }),
  );
  return {
    wires: await presentWires(ctx.store.engine.reader, wires, () => space),
    next_cursor: next === null ? null : `s:${next}`,
  };
}

/**
 * Returns the offset in a search cursor, such as 50 for `s:50` (docs/specification/reading.md#search).
 * Throws 400 for any other format.
 */
function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const digits = /^s:(\d{1,9})$/.exec(cursor)?.[1];
  if (digits === undefined) throw invalidCursor();
  return Number(digits);
}

const DEFAULT_LIMIT = 20;
const KINDS: Record<"handles" | "spaces" | "schemas", EntityKind> = {
  handles: "handle",
  spaces: "space",
  schemas: "schema",
};

export const searchSwitchboard = read("switchboard.search", async (ctx, input) => {
  const kind = KINDS[input.type];
  // `tags` and `accepts_schema` apply only to handles and spaces (docs/specification/reading.md#switchboard).
  const filters = kind !== "schema";
  const results = await searchSerially(ctx, () =>
    findEntities(ctx.store.engine.searcher, {
      kind,
      q: input.q?.trim() ? input.q : undefined,
      tags: filters ? tagsOf(input.tags) : [],
      acceptsSchema: filters ? input.accepts_schema : undefined,
      limit: input.limit ?? DEFAULT_LIMIT,
    }),
  );
  return results.map((json) => new RawJson<EntityResult>(json));
});

function tagsOf(list: string | undefined): string[] {
  const tags = (list ?? "").split(",").map((tag) => tag.trim());
  return [...new Set(tags)].filter((tag) => tag !== "");
}

/** Runs an account's searches one after another, so that they delay other accounts by at most one search. */
function searchSerially<Result>(ctx: Context<Agent>, search: () => Promise<Result>): Promise<Result> {
  return ctx.mutex.run(`search ${ctx.caller.account.pk}`, search);
}
