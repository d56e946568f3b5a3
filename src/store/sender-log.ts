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
  /** For each window the number and time of the first wire in it; null where there is none. */
  windows: ({ no: number; at: number } | null)[];
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
  /** Number and time of the last wire as `no:at`; these two of the first row of a sender alone. */
  last: string | null;
  policies: number | null;
  /** Of the first wire in the window. */
  first: string | null;
}

/** A window costs one seek however many wires it holds, since numbers and times grow together along the index. */
function windowsOf(table: string, sender: string): PackedRows<WindowRow> {
  const place = "CAST(w.sender_no AS TEXT) || ':' || CAST(w.created_at AS TEXT)";
  const own = `SELECT ${place} FROM ${table} w WHERE w.${sender} = q.sender AND w.sender_no IS NOT NULL`;
  return new PackedRows(
    (engine) => `
    SELECT q.sender, q.n,
      CASE WHEN q.n = 0 THEN (${own} ORDER BY w.created_at DESC, w.sender_no DESC LIMIT 1) END AS last,
      CASE WHEN q.n = 0 THEN (SELECT count(*) FROM egress_policies e WHERE e.handle = q.sender) END AS policies,
      (${own} AND w.created_at > q.since ORDER BY w.created_at, w.sender_no LIMIT 1) AS first
    FROM ${QUERIES.asRead(engine, "q")}`,
    "sender, n, last, policies, first",
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
  for (const { sender, n, last, policies, first } of rows) {
    let log = logs.get(sender);
    if (!log) {
      log = { last: 0, lastAt: 0, hasPolicy: false, windows: [] };
      logs.set(sender, log);
    }
    log.windows[n] = placeOf(first);
    if (n > 0) continue;
    const { no, at } = placeOf(last) ?? { no: 0, at: 0 };
    log.last = no;
    log.lastAt = at;
    log.hasPolicy = policies === 1;
  }
  return logs;
}

function placeOf(text: string | null): { no: number; at: number } | null {
  if (text === null) return null;
  const colon = text.indexOf(":");
  return { no: Number(text.slice(0, colon)), at: Number(text.slice(colon + 1)) };
}

function merged(one: SenderLog, other: SenderLog): SenderLog {
  return {
    last: Math.max(one.last, other.last),
    lastAt: Math.max(one.lastAt, other.lastAt),
    hasPolicy: one.hasPolicy,
    windows: one.windows.map((first, n) => {
      const otherFirst = other.windows[n]!;
      return first && (!otherFirst || first.no < otherFirst.no) ? first : otherFirst;
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
