/**
 * Stores the trace contexts of sent wires. They have a separate table, because most wires have no trace
 * context.
 */
import { DAY } from "../../kernel/clock.js";
import type { Session, Transaction } from "../engine/engine.js";
import { RowsParameter, sql, TEXTS, texts } from "../engine/sql.js";

/** Few collectors keep traces for longer. */
const LIFETIME_MS = 7 * DAY;

export interface WireTrace {
  id: string;
  /** https://www.w3.org/TR/trace-context/#traceparent-header */
  traceparent: string;
}

const ROWS = new RowsParameter({ id: "text", traceparent: "text", created_at: "integer" });
const INSERT = sql`INSERT INTO wire_traces (id, traceparent, created_at)
    SELECT id, traceparent, created_at FROM ${ROWS.table("new_traces")}`;

export function enqueueWireTraces(tx: Transaction, traces: readonly WireTrace[], at: number): void {
  const rows = traces.map(({ id, traceparent }) => ({ id, traceparent, created_at: at }));
  tx.enqueue(INSERT, [ROWS.bindObjects(rows)]);
}

const SELECT = sql`SELECT t.traceparent FROM wire_traces t WHERE t.id IN (SELECT value FROM ${TEXTS.table("wanted")})`;

/** Skips wires without a context. */
export async function traceparentsOf(session: Session, ids: readonly string[]): Promise<string[]> {
  const rows = await session.all<{ traceparent: string }>(SELECT, [texts(ids)]);
  return rows.map(({ traceparent }) => traceparent);
}

export async function deleteOldWireTraces(tx: Transaction, at: number, limit: number): Promise<number> {
  const { changes } = await tx.run(
    "DELETE FROM wire_traces WHERE id IN (SELECT id FROM wire_traces WHERE created_at <= ? ORDER BY created_at LIMIT ?)",
    [at - LIFETIME_MS, limit],
  );
  return changes;
}
