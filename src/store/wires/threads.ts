/** Reads threads (docs/specification/reading.md#threads). */
import type { Page } from "../../contract/page-size.js";
import type { Session } from "../engine/engine.js";
import { readWirePage, type Shorten, type WireRow, wireColumns } from "./pages.js";

/** In a thread of direct messages, a handle sees only wires that it sent or received. */
export interface ReadThread {
  thread: number;
  handle: number;
  isDm: boolean;
}

/** `IS NOT NULL` lets SQLite use the index. */
const OF_SPACE = "w.thread = ?1 AND w.space IS NOT NULL";
/** The first wire of a thread of direct messages. */
const FIRST = "w.pk = ?1 AND (w.sender = ?2 OR w.recipient = ?2)";
const NO_END = Number.MAX_SAFE_INTEGER;

/** The replies that a handle sent or received in a thread of direct messages. */
class Replies {
  private readonly key: readonly string[];

  constructor(side: "sender" | "recipient") {
    this.key = ["w.thread", `w.${side}`, "w.pk"];
  }

  /**
   * The condition and the caller's ORDER BY name all columns of one index, because PostgreSQL would otherwise
   * scan wires in primary key order, including other handles' wires.
   */
  after(pk: string, thread = "?1", handle = "?2"): string {
    const key = `(${this.key.join(", ")})`;
    return `${key} > (${thread}, ${handle}, ${pk}) AND ${key} < (${thread}, ${handle}, ${NO_END})
      AND w.recipient IS NOT NULL AND w.reply_to IS NOT NULL`;
  }

  get oldestFirst(): string {
    return `ORDER BY ${this.key.join(", ")}`;
  }

  get newestFirst(): string {
    return `ORDER BY ${this.key.map((column) => `${column} DESC`).join(", ")}`;
  }
}

const SENT = new Replies("sender");
const RECEIVED = new Replies("recipient");

/**
 * Returns a page, oldest first. For a thread of direct messages, includes only wires that `handle` sent or
 * received.
 */
export function threadPage(
  session: Session,
  query: ReadThread & { after: number; limit: number; shorten: Shorten | undefined },
): Promise<Page<WireRow>> {
  const { thread, handle, isDm, after, limit, shorten } = query;
  if (!isDm) {
    const sql = (columns: string) =>
      `SELECT ${columns} FROM wires w WHERE ${OF_SPACE} AND w.pk > ?2 ORDER BY w.pk LIMIT ?3`;
    return readWirePage(session, sql, [thread, after, limit + 1], limit, shorten);
  }
  // A note to oneself is both sent and received, so UNION removes the duplicate.
  const seen = [`SELECT w.pk FROM wires w WHERE ${FIRST} AND w.pk > ?3`];
  for (const replies of [SENT, RECEIVED])
    seen.push(
      `SELECT pk FROM (SELECT w.pk FROM wires w WHERE ${replies.after("?3")} ${replies.oldestFirst} LIMIT ?4) found`,
    );
  const sql = (columns: string) =>
    `SELECT ${columns} FROM wires w WHERE w.pk IN (${seen.join(" UNION ")} ORDER BY pk LIMIT ?4) ORDER BY w.pk`;
  return readWirePage(session, sql, [thread, handle, after, limit + 1], limit, shorten);
}

/**
 * Returns the primary key of the thread's last wire; null if the thread has no wires. In a thread of direct
 * messages, only wires that `handle` sent or received count.
 */
export async function endOfThread(
  session: Session,
  { thread, handle, isDm }: ReadThread,
): Promise<number | null> {
  const last = (found: string) => `SELECT max(w.pk) AS pk FROM wires w WHERE ${found}`;
  const lastReply = (replies: Replies) =>
    `SELECT pk FROM (SELECT w.pk FROM wires w WHERE ${replies.after("0")} ${replies.newestFirst} LIMIT 1) found`;
  const parts = [last(FIRST), lastReply(SENT), lastReply(RECEIVED)];
  const sql = isDm ? `SELECT max(pk) AS pk FROM (${parts.join(" UNION ALL ")}) ends` : last(OF_SPACE);
  return (await session.get<{ pk: number | null }>(sql, isDm ? [thread, handle] : [thread]))!.pk;
}

const newReply = (replies: Replies) =>
  `(SELECT w.pk FROM wires w WHERE ${replies.after("q.after", "q.thread", "q.handle")} ${replies.oldestFirst} LIMIT 1) IS NOT NULL`;

export const NEW_WIRE_OF_THREAD = `CASE WHEN q.space IS NOT NULL
    THEN EXISTS (SELECT 1 FROM wires w WHERE w.thread = q.thread AND w.space IS NOT NULL AND w.pk > q.after)
    ELSE ${newReply(SENT)} OR ${newReply(RECEIVED)} END`;

/** Returns SQL for whether a thread has a wire. Ignores the first wire of a thread of direct messages. */
export function hasWire(thread: string, condition = "1 = 1"): string {
  const exists = (found: string) =>
    `EXISTS (SELECT 1 FROM wires r WHERE r.thread = ${thread} AND ${found} AND ${condition})`;
  return `(${exists("r.space IS NOT NULL")} OR ${exists("r.recipient IS NOT NULL AND r.reply_to IS NOT NULL")})`;
}

const STEP = 1_000;

export interface ReplySearch extends ReadThread {
  pk: number;
  /** Primary key of the last wire that was searched; initially `pk`. */
  after: number;
}

/**
 * Returns the first direct reply from any other handle, unless it was removed. Updates `after`, so that the
 * next call searches only newer wires.
 */
export async function firstReply(session: Session, search: ReplySearch): Promise<WireRow | undefined> {
  const { pk, thread, handle, isDm } = search;
  const next = isDm
    ? `${RECEIVED.after("?4")} ${RECEIVED.oldestFirst}`
    : `${OF_SPACE} AND w.pk > ?4 ORDER BY w.pk`;
  const sql = `SELECT count(*) AS searched, max(pk) AS last,
      min(CASE WHEN reply_to = ?3 AND sender <> ?2 AND removed_at IS NULL THEN pk END) AS found
    FROM (SELECT w.pk, w.reply_to, w.sender, w.removed_at FROM wires w
      WHERE ${next} LIMIT ${STEP}) step`;
  for (;;) {
    const row = await session.get<{ searched: number; last: number | null; found: number | null }>(sql, [
      thread,
      handle,
      pk,
      search.after,
    ]);
    const { searched, last, found } = row!;
    if (found !== null)
      return session.get<WireRow>(`SELECT ${wireColumns()} FROM wires w WHERE w.pk = ?`, [found]);
    if (last !== null) search.after = last;
    if (searched < STEP) return undefined;
  }
}
