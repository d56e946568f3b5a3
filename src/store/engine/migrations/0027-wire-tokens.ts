import { addTokensVersion, markAllStale } from "./full-text-tables.js";

/** Marks the rows of the full-text index of wires, which are indexed again while the daemon serves. */
export const wireTokens = {
  id: 27,
  name: "wire-tokens",
  sql: [{ sqlite: markAllStale("wires_fts"), postgres: addTokensVersion("wires_fts") }],
};
