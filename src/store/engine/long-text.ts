/**
 * Long texts on their way from SQLite: as bytes, since its driver decodes a text character by character on the event loop.
 * PostgreSQL's does not.
 */
import type { EngineName } from "./sql.js";

/** A text as it comes, to be read by `textOf`. */
export type LongText = string | Buffer;

/** The expression in a `SELECT` that gives a text as `LongText`. */
export function longText(engine: EngineName, expression: string): string {
  return engine === "sqlite" ? `CAST(${expression} AS BLOB)` : expression;
}
