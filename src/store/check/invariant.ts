import { type EngineName, perEngine, type Sql } from "../engine/sql.js";

/** A property of the stored data that must always hold. */
export interface Invariant {
  /** Identifies the invariant in the output of `wireroom store check`. */
  name: string;
  /** A sentence that states what must hold. */
  rule: string;
  /** The statements that find violations. The invariant holds if none of them does. */
  parts: readonly Part[];
}

/**
 * A statement that selects one row for each violation. Its only column, `example`, is a text that names the
 * violating row.
 */
export interface Part {
  /**
   * The table whose rows are checked, range by range. Such a statement reads rows of other tables only by an
   * index, so it ends soon. Null: one statement checks all rows.
   */
  table: string | null;
  /**
   * For a range, `{x}` stands for the condition that selects the rows of the range, where `x` is the alias of
   * the table.
   */
  violations: Sql;
  /**
   * Selects a row if there may be violations. It reads every row once and sorts nothing, unlike `violations`,
   * which is only run to find examples.
   */
  suspicion?: string;
  /** Names of invariants without which `suspicion` proves nothing. */
  assumes?: readonly string[];
}

/** An invariant of the rows of one table. */
export function invariant(
  name: string,
  rule: string,
  table: string,
  violations: string | ((engine: EngineName) => string),
): Invariant {
  return invariantOf(name, rule, [part(table, violations)]);
}

/** An invariant that several statements check. */
export function invariantOf(name: string, rule: string, parts: readonly Part[]): Invariant {
  return { name, rule, parts };
}

export function part(table: string | null, violations: string | ((engine: EngineName) => string)): Part {
  return { table, violations: typeof violations === "string" ? violations : perEngine(violations) };
}
