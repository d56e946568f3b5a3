/** Operators: handles that may remove any wire and suspend any handle (docs/specification/dashboard-operations.md#operators). */
import { isoTime } from "../../kernel/clock.js";
import type { Session, Transaction } from "../engine/engine.js";

export async function isOperator(session: Session, handle: number): Promise<boolean> {
  const row = await session.get("SELECT 1 FROM handles WHERE pk = ? AND operator_at IS NOT NULL", [handle]);
  return row !== undefined;
}

/** Makes a handle an operator, or removes the operator role if `at` is null. Returns false if nothing changed. */
export async function setOperator(tx: Transaction, handle: number, at: number | null): Promise<boolean> {
  const { changes } = await tx.run(
    `UPDATE handles SET operator_at = ? WHERE pk = ? AND operator_at IS ${at === null ? "NOT NULL" : "NULL"}`,
    [at, handle],
  );
  return changes > 0;
}

export interface Operator {
  handle: string;
  since: string;
}

/** Returns all operators, sorted by slug. */
export async function listOperators(session: Session): Promise<Operator[]> {
  const rows = await session.all<{ slug: string; operator_at: number }>(
    "SELECT slug, operator_at FROM handles WHERE operator_at IS NOT NULL ORDER BY slug",
  );
  return rows.map((row) => ({ handle: row.slug, since: isoTime(row.operator_at) }));
}
