/**
 * The numbered wires of each sender, on which the limits are counted. Held wires have their place in it from the moment at
 * which they were handed in, also once they are sent.
 */
import type { Session } from "./engine.js";
import { PackedRows, PackedStatements } from "./packed-rows.js";
import { type Rows, RowsOf } from "./sql.js";

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
async function sentLogs(
  session: Session,
  senders: readonly number[],
  windows: readonly number[],
  at: number,
): Promise<Logs> {
  const [rows] = await SENT.statement.all(session, [windowsAsked(senders, windows, at)]);
  return toLogs(rows);
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
  const [rows] = await UNSENT.statement.all(session, [windowsAsked(senders, windows, at)]);
  for (const [sender, unsent] of toLogs(rows)) {
    logs.set(sender, merged(logs.get(sender)!, unsent));
  }
}

const QUERIES = new RowsOf({ sender: "integer", n: "integer", since: "integer" });

export interface WindowRow {
  sender: number;
  n: number;
  last: number | null;
  last_at: number | null;
  policies: number;
  before: number | null;
  first: number | null;
}

/** A window costs two seeks however many wires it holds, since numbers and times grow together along the index. */
function windowsOf(table: string, sender: string): PackedRows<WindowRow> {
  const own = `FROM ${table} w WHERE w.${sender} = q.sender AND w.sender_no IS NOT NULL`;
  const newest = "ORDER BY w.created_at DESC, w.sender_no DESC LIMIT 1";
  return new PackedRows(
    (engine) => `
    SELECT q.sender, q.n,
      (SELECT sender_no ${own} ${newest}) AS last,
      (SELECT max(created_at) ${own}) AS last_at,
      (SELECT count(*) FROM egress_policies e WHERE e.handle = q.sender) AS policies,
      (SELECT sender_no ${own} AND w.created_at <= q.since ${newest}) AS before,
      (SELECT min(created_at) ${own} AND w.created_at > q.since) AS first
    FROM ${QUERIES.as(engine, "q")}`,
    "sender, n, last, last_at, policies, before, first",
  );
}

/** Windows of wires that were sent. */
export const SENT_WINDOWS = windowsOf("wires", "sender");

/** Where the numbers stand: sent wires in one table, those that are not in the other. */
const SENT = {
  table: "wires",
  sender: "sender",
  statement: new PackedStatements<[WindowRow]>([SENT_WINDOWS]),
};
const UNSENT = {
  table: "approvals",
  sender: "handle",
  statement: new PackedStatements<[WindowRow]>([windowsOf("approvals", "handle")]),
};

/** What the statements of windows take. */
export function windowsAsked(senders: readonly number[], windows: readonly number[], at: number): Rows[] {
  const asked = senders.flatMap((sender) => windows.map((window, n) => [sender, n, at - window]));
  return [QUERIES.bind(asked)];
}

export function toLogs(rows: readonly WindowRow[]): Map<number, SenderLog> {
  const logs: Logs = new Map();
  for (const { sender, n, last, last_at, policies, before, first } of rows) {
    let log = logs.get(sender);
    if (!log) {
      log = { last: last ?? 0, lastAt: last_at ?? 0, hasPolicy: policies === 1, windows: [] };
      logs.set(sender, log);
    }
    log.windows[n] = { before: before ?? 0, firstAt: first };
  }
  return logs;
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
