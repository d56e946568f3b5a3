import type { EntityResult } from "../../contract/shapes.js";
import { RawJson } from "../../kernel/raw-json.js";
import { type EntityKind, findEntities } from "../../store/switchboard.js";
import { read } from "../pipeline/handler.js";
import { searchInTurn } from "../shared/search-in-turn.js";

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
  const results = await searchInTurn(ctx, () =>
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
