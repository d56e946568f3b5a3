/** How far each sender is within its limits on wires. */
import type { Session } from "./engine.js";
import { RowsOf, written } from "./sql.js";

/** The sender's numbered wires: how many there are, and where the windows of the limits begin. */
export interface SenderLog {
  /** Number and time of the last wire; 0 before the first. */
  last: number;
  lastAt: number;
  /** For each window: number of the last wire before it, and time of the first one in it. */
  windows: { before: number; firstAt: number | null }[];
}

const SENDER_WINDOWS = new RowsOf({ sender: "integer", n: "integer", since: "integer" });

interface WindowRow {
  sender: number;
  n: number;
  last: number | null;
  last_at: number | null;
  before: number | null;
  first: number | null;
}

const OF_SENDER = "FROM wires w WHERE w.sender = q.sender";
const NEWEST = "ORDER BY w.created_at DESC, w.sender_no DESC LIMIT 1";
const WINDOWS = written(
  (engine) => `
  SELECT q.sender, q.n,
    (SELECT sender_no ${OF_SENDER} ${NEWEST}) AS last,
    (SELECT max(created_at) ${OF_SENDER}) AS last_at,
    (SELECT sender_no ${OF_SENDER} AND w.created_at <= q.since ${NEWEST}) AS before,
    (SELECT min(created_at) ${OF_SENDER} AND w.created_at > q.since) AS first
  FROM ${SENDER_WINDOWS.as(engine, "q")}`,
);

/**
 * Where each sender's log and windows stand. A window costs two seeks however many wires it holds, since numbers and
 * times grow together along the index.
 */
export async function senderLogs(
  session: Session,
  senders: readonly number[],
  windows: readonly number[],
  at: number,
): Promise<Map<number, SenderLog>> {
  const asked = senders.flatMap((sender) => windows.map((window, n) => [sender, n, at - window]));
  const windowRows = await session.all<WindowRow>(WINDOWS, [SENDER_WINDOWS.bind(asked)]);
  const logs = new Map<number, SenderLog>();
  for (const row of windowRows) {
    const log = logs.get(row.sender) ?? { last: row.last ?? 0, lastAt: row.last_at ?? 0, windows: [] };
    log.windows[row.n] = { before: row.before ?? 0, firstAt: row.first };
    logs.set(row.sender, log);
  }
  return logs;
}

/** When the wire was sent that has `after` younger ones of the same sender after it. */
export async function sentAt(session: Session, sender: number, after: number): Promise<number | undefined> {
  const row = await session.get<{ created_at: number }>(
    "SELECT created_at FROM wires WHERE sender = ? ORDER BY created_at DESC, sender_no DESC LIMIT 1 OFFSET ?",
    [sender, after],
  );
  return row?.created_at;
}
