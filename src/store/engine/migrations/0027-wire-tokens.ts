import { addTokensVersion, markAllStale } from "./full-text-tables.js";

/**
 * Marks all rows of the wires' full-text index as outdated. The daemon reindexes them while it serves
 * requests.
 */
export const wireTokens = {
  id: 27,
  name: "wire-tokens",
  sql: [{ sqlite: markAllStale("wires_fts"), postgres: addTokensVersion("wires_fts") }],
};
