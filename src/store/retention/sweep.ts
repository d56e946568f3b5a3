/** Deletes expired audit entries, and approvals that retention hides. */
import { DAY, MINUTE } from "../../kernel/clock.js";
import { AUDIT_LIFETIME_MS } from "../accounts/audit.js";
import { APPROVAL_LIFETIME_MS, clearApproval } from "../approvals/approvals.js";
import type { Session, Transaction } from "../engine/engine.js";
import { storeMark } from "../engine/meta.js";
import { NUMBERED_INTEGERS, numberedIntegers, sql } from "../engine/sql.js";
import type { Pace } from "./pace.js";

/**
 * Deletes the oldest expired audit entries. Does so a minute late, because reads use PostgreSQL's clock,
 * which may differ. Keeps the newest entry, so that its primary key is never reused.
 */
export async function deleteOldAuditEntries(tx: Transaction, at: number, limit: number): Promise<number> {
  const { changes } = await tx.run(
    `DELETE FROM audit WHERE pk IN (SELECT pk FROM (SELECT pk, at FROM audit ORDER BY pk LIMIT ?) oldest WHERE at <= ?)
       AND pk < (SELECT max(pk) FROM audit)`,
    [limit, at - AUDIT_LIFETIME_MS - MINUTE],
  );
  return changes;
}

const SLICE = 500;

/** Retention hides only approvals of wires that will not be sent. */
const OLD_APPROVALS = `SELECT a.pk, a.created_at,
    CASE WHEN a.kind = 'wire' AND a.doc IS NOT NULL AND (a.status <> 'pending' OR a.created_at <= ?1)
      AND a.created_at <= ?2 - ${DAY} * CASE WHEN s.retain_days < ?3 THEN s.retain_days ELSE ?3 END THEN 1 ELSE 0 END AS is_hidden
  FROM approvals a LEFT JOIN spaces s ON substr(a.target, 1, 1) = '#' AND s.slug = substr(a.target, 2)
  WHERE a.pk > ?4 ORDER BY a.pk LIMIT ${SLICE}`;

/** Keeps the newest approval, so that its primary key is never reused. */
const DELETE_APPROVALS = sql`DELETE FROM approvals WHERE pk IN (SELECT value FROM ${NUMBERED_INTEGERS.table("gone")})
    AND pk < (SELECT max(pk) FROM approvals)`;

const STORE_UNTIL = storeMark("until", "CAST(? AS bigint)");

const NEVER_DAYS = 10_000_000;

interface OldApproval {
  pk: number;
  created_at: number;
  is_hidden: number;
}

/** The newest approval is only cleared, so that its primary key is never reused. */
export async function deleteHiddenApprovals(
  reader: Session,
  pace: Pace,
  retainDays: number | null,
  at: number,
): Promise<void> {
  let newest: OldApproval | undefined;
  for (let rows: OldApproval[] | undefined; !rows || rows.length === SLICE; ) {
    rows = await reader.all<OldApproval>(OLD_APPROVALS, [
      at - APPROVAL_LIFETIME_MS,
      at,
      retainDays ?? NEVER_DAYS,
      newest?.pk ?? 0,
    ]);
    newest = rows.at(-1) ?? newest;
    const hidden = rows.filter((row) => row.is_hidden === 1);
    for (let done = 0; done < hidden.length; ) {
      const some = hidden.slice(done, done + pace.size);
      await pace.step(async (tx) => {
        tx.enqueue(DELETE_APPROVALS, [numberedIntegers(some.map(({ pk }) => pk))]);
        tx.enqueue(STORE_UNTIL, [Math.max(...some.map((row) => row.created_at))]);
        return some.length;
      });
      done += some.length;
    }
  }
  if (newest?.is_hidden !== 1) return;
  const { pk } = newest;
  await pace.step(async (tx) => {
    await clearApproval(tx, pk, at);
    return 1;
  });
}
