/** Counts a handle's wires by hour (docs/specification/dashboard-operations.md#activity). */
import type { AuditAction } from "../../contract/operations/audit.js";
import { HOUR } from "../../kernel/clock.js";
import type { Session } from "../engine/engine.js";
import { INBOX_KIND } from "../inbox/notices.js";

const MAX_ITEMS = 10_000;
const BLOCKED: AuditAction = "egress.blocked";
const byHour = (time: string) => `(${time} - CAST(?2 AS bigint)) / ${HOUR} AS hour`;

/** Parameters of each query: the handle, and the beginning of the first hour. */
const SENT = `SELECT ${byHour("created_at")}, count(*) AS sent FROM wires
  WHERE sender = ?1 AND created_at >= ?2 GROUP BY 1`;
const HELD = `SELECT ${byHour("created_at")}, count(*) AS held,
    count(CASE WHEN status = 'rejected' OR error IS NOT NULL THEN 1 END) AS refused
  FROM approvals WHERE handle = ?1 AND kind = 'wire' AND created_at >= ?2 GROUP BY 1`;
const REFUSED = `SELECT ${byHour("at")}, count(*) AS refused FROM audit
  WHERE handle = ?1 AND action = '${BLOCKED}' AND at >= ?2 GROUP BY 1`;
const RECEIVED = `SELECT ${byHour("w.created_at")}, count(*) AS received
  FROM (SELECT kind, ref FROM inbox WHERE handle = ?1 ORDER BY seq DESC LIMIT ${MAX_ITEMS}) i
    JOIN wires w ON w.pk = i.ref
  WHERE i.kind = ${INBOX_KIND.wire} AND i.ref > ?3 AND w.created_at >= ?2 GROUP BY 1`;

interface Counts {
  received: number;
  sent: number;
  held: number;
  refused: number;
}

/**
 * @param since the beginning of the first hour, in milliseconds since 1970
 * @param floor a primary key; all wires up to it were sent before that hour
 * @returns the counts of each hour, by the number of hours since `since`; hours without activity are missing
 */
export async function activityOf(
  session: Session,
  handle: number,
  since: number,
  floor: number,
): Promise<Map<number, Partial<Counts>>> {
  const found = await Promise.all(
    [SENT, HELD, REFUSED, RECEIVED].map((sql) =>
      session.all<Partial<Counts> & { hour: number }>(sql, [
        handle,
        since,
        ...(sql === RECEIVED ? [floor] : []),
      ]),
    ),
  );
  const hours = new Map<number, Partial<Counts>>();
  for (const { hour, ...counts } of found.flat()) {
    const other = hours.get(hour);
    hours.set(hour, { ...other, ...counts, refused: (other?.refused ?? 0) + (counts.refused ?? 0) });
  }
  return hours;
}
