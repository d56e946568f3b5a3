import { addTokensVersion, markAllStale } from "./full-text-tables.js";

/** Marks the rows of the full-text index of entities, which are indexed again while the daemon serves. */
export const entityTokens = {
  id: 28,
  name: "entity-tokens",
  sql: [{ sqlite: markAllStale("entities_fts"), postgres: addTokensVersion("entities_fts") }],
};
