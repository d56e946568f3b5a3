/**
 * The numbered wires of each sender, on which the limits are counted. Held wires have their place in it from the moment at
 * which they were handed in, also once they are sent.
 */
import type { Session } from "./engine.js";
import { PackedRows } from "./packed-rows.js";

/** How many wires there are, and where the windows of the limits begin. */
export interface SenderLog {
  /** Number and time of the last wire; 0 before the first. */
  last: number;
  lastAt: number;
  /** For each window: number of the last wire before it, and time of the first one in it. */
  windows: { before: number; firstAt: number | null }[];
  /** Whether the sender has, or had, an egress policy: only then can anything of it be blocked or held. */
  hasPolicy: boolean;
}

type Logs = Map<number, SenderLog>;

/** Where the numbers stand: sent wires in one table, those that are not in the other. */
const SENT = { table: "wires", sender: "sender" };
const UNSENT = { table: "approvals", sender: "handle" };

/** Where each sender's log and windows stand. @param windows lengths of the limits' windows, in milliseconds */
export async function senderLogs(
  session: Session,
  senders: readonly number[],
  windows: readonly number[],
  at: number,
): Promise<Logs> {
  const logs = await sentLogs(session, senders, windows, at);
  await addUnsent(session, logs, senders, windows, at);
  return logs;
}

/** The same of sent wires alone: all there is for a sender that never had an egress policy. */
export function sentLogs(
  session: Session,
  senders: readonly number[],
  windows: readonly number[],
  at: number,
): Promise<Logs> {
  return logsOf(session, SENT, senders, windows, at);
}

/** Adds the unsent wires of these senders to their logs. */
export async function addUnsent(
  session: Session,
  logs: Logs,
  senders: readonly number[],
  windows: readonly number[],
  at: number,
): Promise<void> {
  if (senders.length === 0) return;
  for (const [sender, unsent] of await logsOf(session, UNSENT, senders, windows, at)) {
    logs.set(sender, merged(logs.get(sender)!, unsent));
  }
}

/** A window costs two seeks however many wires it holds, since numbers and times grow together along the index. */
async function logsOf(
  session: Session,
  { table, sender }: typeof SENT,
  senders: readonly number[],
  windows: readonly number[],
  at: number,
): Promise<Logs> {
  const own = `FROM ${table} w WHERE w.${sender} = s.value AND w.sender_no IS NOT NULL`;
  const newest = "ORDER BY w.created_at DESC, w.sender_no DESC LIMIT 1";
  const columns = windows.map(
    (_window, n) => `,
    (SELECT sender_no ${own} AND w.created_at <= ?${n + 2} ${newest}) AS before${n},
    (SELECT min(created_at) ${own} AND w.created_at > ?${n + 2}) AS first${n}`,
  );
  const stored = new PackedRows<Record<string, number | null>>(
    `SELECT s.value AS sender, (SELECT sender_no ${own} ${newest}) AS last,
       (SELECT max(created_at) ${own}) AS last_at,
       (SELECT count(*) FROM egress_policies e WHERE e.handle = s.value) AS policies${columns.join("")}
     FROM json_each(?1) s`,
    `sender, last, last_at, policies${windows.map((_window, n) => `, before${n}, first${n}`).join("")}`,
  );
  const rows = await stored.all(session, [JSON.stringify(senders), ...windows.map((window) => at - window)]);
  return new Map(
    rows.map((row) => [
      row.sender as number,
      {
        last: row.last ?? 0,
        lastAt: row.last_at ?? 0,
        hasPolicy: row.policies === 1,
        windows: windows.map((_window, n) => ({
          before: row[`before${n}`] ?? 0,
          firstAt: row[`first${n}`] ?? null,
        })),
      },
    ]),
  );
}

function merged(one: SenderLog, other: SenderLog): SenderLog {
  return {
    last: Math.max(one.last, other.last),
    lastAt: Math.max(one.lastAt, other.lastAt),
    hasPolicy: one.hasPolicy,
    windows: one.windows.map(({ before, firstAt }, n) => {
      const { before: otherBefore, firstAt: otherFirst } = other.windows[n]!;
      const first = Math.min(firstAt ?? Number.POSITIVE_INFINITY, otherFirst ?? Number.POSITIVE_INFINITY);
      return { before: Math.max(before, otherBefore), firstAt: Number.isFinite(first) ? first : null };
    }),
  };
}

/** When the wire was handed in that has `after` younger ones of the same sender after it. */
export async function sentAt(session: Session, sender: number, after: number): Promise<number | undefined> {
  const newest = (table: string, column: string) =>
    `SELECT * FROM (SELECT created_at, sender_no FROM ${table} WHERE ${column} = ?1 AND sender_no IS NOT NULL
       ORDER BY created_at DESC, sender_no DESC LIMIT ?2) ${table}_newest`;
  const row = await session.get<{ created_at: number }>(
    `SELECT created_at FROM (${newest(SENT.table, SENT.sender)} UNION ALL ${newest(UNSENT.table, UNSENT.sender)}) newest
     ORDER BY created_at DESC, sender_no DESC LIMIT 1 OFFSET ?3`,
    [sender, after + 1, after],
  );
  return row?.created_at;
}
