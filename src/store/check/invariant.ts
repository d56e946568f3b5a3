import { type EngineName, perEngine, type Sql } from "../engine/sql.js";

/** A property of the stored data that must always hold. */
export interface Invariant {
  /** Identifies the invariant in the output of `wireroom store check`. */
  name: string;
  /** A sentence that states what must hold. */
  rule: string;
  /** Selects one row for each violation. Its only column, `example`, is a text that names the violating row. */
  violations: Sql;
}

/** An invariant whose SELECT is the same on both engines, or is built for each engine. */
export function invariant(
  name: string,
  rule: string,
  violations: string | ((engine: EngineName) => string),
): Invariant {
  return { name, rule, violations: typeof violations === "string" ? violations : perEngine(violations) };
}

/** An invariant that PostgreSQL enforces itself, such as a foreign key. */
export function sqliteInvariant(name: string, rule: string, violations: string): Invariant {
  return invariant(name, rule, (engine) =>
    engine === "sqlite" ? violations : "SELECT NULL::text AS example WHERE false",
  );
}
