import { addTokensVersion, markAllStale } from "./full-text-tables.js";

/**
 * Marks all rows of the entities' full-text index as outdated. The daemon reindexes them while it serves
 * requests.
 */
export const entityTokens = {
  id: 28,
  name: "entity-tokens",
  sql: [{ sqlite: markAllStale("entities_fts"), postgres: addTokensVersion("entities_fts") }],
};
