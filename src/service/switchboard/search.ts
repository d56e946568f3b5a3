import type { EntityResult } from "../../contract/shapes.js";
import { Verbatim } from "../../kernel/verbatim.js";
import { type EntityKind, findEntities } from "../../store/entities.js";
import { read } from "../pipeline/handler.js";

const DEFAULT_LIMIT = 20;
const KINDS: Record<"handles" | "spaces" | "schemas", EntityKind> = {
  handles: "handle",
  spaces: "space",
  schemas: "schema",
};

export const searchSwitchboard = read("switchboard.search", async (_ctx, input, session) => {
  const kind = KINDS[input.type];
  // Tags and accepts_schema filter handles and spaces alone (specification, GET /search).
  const filters = kind !== "schema";
  const results = await findEntities(session, {
    kind,
    q: input.q?.trim() ? input.q : undefined,
    tags: filters ? tagsOf(input.tags) : [],
    acceptsSchema: filters ? input.accepts_schema : undefined,
    limit: input.limit ?? DEFAULT_LIMIT,
  });
  return results.map((json) => new Verbatim<EntityResult>(json));
});

function tagsOf(list: string | undefined): string[] {
  return (list ?? "")
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}
