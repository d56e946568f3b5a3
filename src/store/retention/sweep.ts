/** Deletes rows that have ended, other than wires. Each function deletes up to `limit` rows, and returns how many it deleted. */

import { DAY, MINUTE } from "../../kernel/clock.js";
import { AUDIT_LIFETIME_MS } from "../accounts/audit.js";
import { APPROVAL_LIFETIME_MS } from "../approvals/approvals.js";
import type { Engine, Transaction } from "../engine/engine.js";
import { NUMBERED_INTEGERS, numberedIntegers, perEngine } from "../engine/sql.js";
import { enqueueMark } from "./deleted-wires.js";

/**
 * Deletes the oldest audit entries after their lifetime. A minute later, because the database compares with its own clock. The
 * newest entry stays, because its primary key must not be used again; it is not shown.
 */
export async function deleteOldAuditEntries(tx: Transaction, at: number, limit: number): Promise<number> {
  const { changes } = await tx.run(
    `DELETE FROM audit WHERE pk IN (SELECT pk FROM (SELECT pk, at FROM audit ORDER BY pk LIMIT ?) oldest WHERE at <= ?)
       AND pk < (SELECT max(pk) FROM audit)`,
    [limit, at - AUDIT_LIFETIME_MS - MINUTE],
  );
  return changes;
}

/** Number of approvals that are read at a time. */
const SLICE = 500;

/** The approvals after a primary key, and whether retention hides them: those of wires that will not be sent. */
const OLD_APPROVALS = `SELECT a.pk, a.created_at,
    CASE WHEN a.kind = 'wire' AND a.doc IS NOT NULL AND (a.status <> 'pending' OR a.created_at <= ?1)
      AND a.created_at <= ?2 - ${DAY} * CASE WHEN s.retain_days < ?3 THEN s.retain_days ELSE ?3 END THEN 1 ELSE 0 END AS is_hidden
  FROM approvals a LEFT JOIN spaces s ON substr(a.target, 1, 1) = '#' AND s.slug = substr(a.target, 2)
  WHERE a.pk > ?4 ORDER BY a.pk LIMIT ${SLICE}`;

/** The newest approval stays without its text, because its primary key must not be used again. */
const DELETE_APPROVALS = perEngine(
  (
    engine,
  ) => `DELETE FROM approvals WHERE pk IN (SELECT value FROM ${NUMBERED_INTEGERS.table(engine, "gone")})
    AND pk < (SELECT max(pk) FROM approvals)`,
);

/** A number of days that no wire reaches. */
const NEVER_DAYS = 10_000_000;

/** Deletes the approvals that retention hides. */
export async function deleteHiddenApprovals(
  engine: Pick<Engine, "reader" | "write">,
  retainDays: number | null,
  at: number,
): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await engine.reader.all<{ pk: number; created_at: number; is_hidden: number }>(
      OLD_APPROVALS,
      [at - APPROVAL_LIFETIME_MS, at, retainDays ?? NEVER_DAYS, after],
    );
    const hidden = rows.filter((row) => row.is_hidden === 1);
    if (hidden.length > 0) {
      await engine.write(async (tx) => {
        tx.enqueue(DELETE_APPROVALS, [numberedIntegers(hidden.map(({ pk }) => pk))]);
        enqueueMark(tx, "until", Math.max(...hidden.map((row) => row.created_at)));
      }, "retention");
    }
    if (rows.length < SLICE) return;
    after = rows.at(-1)!.pk;
  }
}
