/**
 * Reads large text columns efficiently. The SQLite driver decodes text slowly on the event loop, so large
 * texts are read from SQLite as bytes. From PostgreSQL they are read as strings.
 */
import type { EngineName } from "./sql.js";

/** A string or its UTF-8 bytes. `jsonToString` converts both to a string. */
export type LargeText = string | Buffer;

/** Returns the SQL expression that selects a text as `LargeText`. */
export function largeTextExpression(engine: EngineName, expression: string): string {
  return engine === "sqlite" ? `CAST(${expression} AS BLOB)` : expression;
}
