/**
 * Reads large text columns efficiently. SQLite's driver decodes text slowly, and on the event loop, so SQLite
 * returns large texts as bytes. PostgreSQL returns them as strings.
 */
import type { EngineName } from "./sql.js";

/** A string or its UTF-8 bytes. `jsonToString` converts both to a string. */
export type LargeText = string | Buffer;

/** Returns the SQL expression that selects a text as `LargeText`. */
export function largeTextExpression(engine: EngineName, expression: string): string {
  return engine === "sqlite" ? `CAST(${expression} AS BLOB)` : expression;
}
