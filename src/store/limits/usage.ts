/**
 * Computes how much callers have used of their rate limits, from stored rows and exact sliding windows.
 * Separate counters could drift from the stored data.
 */
import { type LimitName, RATE_LIMITS } from "../../contract/limits.js";
import type { Usage } from "../../domain/rate-limits.js";
import { SECOND } from "../../kernel/clock.js";
import type { Session } from "../engine/engine.js";
import { inOneRoundTrip, type RoundTrip, Select } from "../engine/selects.js";
import { type BoundRows, RowsParameter, sql } from "../engine/sql.js";
import { UNFINISHED } from "../wires/claims.js";

export interface RateLimitedCaller {
  pk: number;
  account: { pk: number };
}

/** A sender's wires are numbered, so their usage is the difference of two numbers. */
export const WIRE_LIMITS = ["wires_per_minute", "wires_per_day"] as const satisfies readonly LimitName[];
type WireLimit = (typeof WIRE_LIMITS)[number];
type CountedLimit = Exclude<LimitName, WireLimit>;

/** Returns the usage of each limit by each caller, in the order of `callers` and `limits`. */
export async function usageOf(
  trip: RoundTrip,
  limits: readonly LimitName[],
  callers: readonly RateLimitedCaller[],
  at: number,
): Promise<Usage[][]> {
  if (callers.length === 0) return [];
  const countsWires = limits.some(isWireLimit);
  const [logs, ...counts] = await inOneRoundTrip([
    countsWires ? senderLogs(trip, callers, at) : [],
    ...limits.map((limit) => (isWireLimit(limit) ? [] : countedUsage(trip, limit, callers, at))),
  ]);
  return callers.map((_, i) =>
    limits.map((limit, n) => (isWireLimit(limit) ? wireUsage(logs[i]!, limit) : counts[n]![i]!)),
  );
}

/** Skips the `after` newest uses of a limit, and returns the time of the next older one. */
export async function timeOfNthNewest(
  session: Session,
  limit: LimitName,
  caller: RateLimitedCaller,
  after: number,
): Promise<number | undefined> {
  if (isWireLimit(limit)) return sentAt(session, caller.pk, after);
  const { table, subject } = SOURCES[limit];
  const row = await session.get<{ created_at: number }>(
    `SELECT created_at FROM ${table} WHERE ${subject} = ? ORDER BY created_at DESC LIMIT 1 OFFSET ?`,
    [subjectOf(limit, caller), after],
  );
  return row?.created_at;
}

function isWireLimit(limit: LimitName): limit is WireLimit {
  return limit === "wires_per_minute" || limit === "wires_per_day";
}

export function windowStart(limit: LimitName, at: number): number {
  // A claim counts until it expires.
  if (limit === "claims_per_handle") return at;
  const { window } = RATE_LIMITS[limit];
  return window === null ? 0 : at - window * SECOND;
}

function subjectOf(limit: CountedLimit, { pk, account }: RateLimitedCaller): number {
  return RATE_LIMITS[limit].subject === "account" ? account.pk : pk;
}

const SOURCES: Record<CountedLimit, { table: string; subject: string }> = {
  // A held knock counts from the time when it was held, even if it was never sent.
  knocks_per_hour: {
    table: `(SELECT k.sender, k.created_at FROM knocks k WHERE NOT EXISTS (SELECT 1 FROM approvals a WHERE a.ref = k.id)
      UNION ALL SELECT a.handle, a.created_at FROM approvals a WHERE a.kind = 'knock') all_knocks`,
    subject: "sender",
  },
  spaces_per_hour: { table: "spaces", subject: "creator" },
  spaces_per_account: { table: "spaces", subject: "creator_account" },
  schemas_per_hour: { table: "schemas", subject: "registrar" },
  mentions_per_hour: { table: "mentions", subject: "sender" },
  claims_per_handle: {
    table: `(SELECT holder, until AS created_at FROM claims WHERE ${UNFINISHED}) held_claims`,
    subject: "holder",
  },
};

interface CountRow {
  n: number;
  used: number;
  oldest: number | null;
}

const SUBJECTS = new RowsParameter({ n: "integer", subject: "integer", since: "integer" });

function countsOf(limit: CountedLimit): Select<CountRow> {
  const { table, subject } = SOURCES[limit];
  const inWindow = `FROM ${table} WHERE ${subject} = q.subject AND created_at > q.since`;
  return new Select(
    sql`SELECT q.n, (SELECT count(*) ${inWindow}) AS used, (SELECT min(created_at) ${inWindow}) AS oldest
      FROM ${SUBJECTS.materialisedTable("q")}`,
    "n, used, oldest",
  );
}

const COUNTS: Record<CountedLimit, Select<CountRow>> = {
  knocks_per_hour: countsOf("knocks_per_hour"),
  spaces_per_hour: countsOf("spaces_per_hour"),
  spaces_per_account: countsOf("spaces_per_account"),
  schemas_per_hour: countsOf("schemas_per_hour"),
  mentions_per_hour: countsOf("mentions_per_hour"),
  claims_per_handle: countsOf("claims_per_handle"),
};

async function countedUsage(
  trip: RoundTrip,
  limit: CountedLimit,
  callers: readonly RateLimitedCaller[],
  at: number,
): Promise<Usage[]> {
  const since = windowStart(limit, at);
  const subjects = callers.map((caller, n) => [n, subjectOf(limit, caller), since]);
  const usage: Usage[] = [];
  for (const { n, used, oldest } of await trip.select(COUNTS[limit], [SUBJECTS.bind(subjects)]))
    usage[n] = { used, oldestAt: oldest };
  return usage;
}

/** A sender's numbered wires. A wire that was held for approval keeps its number and time when it is sent. */
export interface SenderLog {
  /** Number of the last wire, and its time. Both are 0 if there is none. */
  last: number;
  lastAt: number;
  /** The first wire in the window of each of `WIRE_LIMITS`; null if there is none. */
  windows: (LogPosition | null)[];
}

interface LogPosition {
  no: number;
  at: number;
}

export function wireUsage({ last, windows }: SenderLog, limit: WireLimit): Usage {
  const first = windows[WIRE_LIMITS.indexOf(limit)] ?? null;
  return first ? { used: last - first.no + 1, oldestAt: first.at } : { used: 0, oldestAt: null };
}

interface WindowRow {
  sender: number;
  n: number;
  /** The last wire as `number:time`. */
  last: string | null;
  /** The window's first wire as `number:time`, because a subquery returns only one value. */
  first: string | null;
}

const WINDOWS = new RowsParameter({ sender: "integer", n: "integer", since: "integer" });

/** In the index (sender, created_at, sender_no), times and numbers increase together. */
class WireLogTable {
  /** Parameter: `WINDOWS`. */
  readonly windows: Select<WindowRow>;

  /** @param condition SQL condition for the senders that may have rows in the table */
  constructor(
    private readonly table: string,
    private readonly sender: string,
    condition: string,
  ) {
    const position = "CAST(w.sender_no AS TEXT) || ':' || CAST(w.created_at AS TEXT)";
    const numberedWires = `SELECT ${position} FROM ${table} w WHERE w.${sender} = q.sender AND w.sender_no IS NOT NULL`;
    this.windows = new Select(
      sql`
      SELECT q.sender, q.n,
        CASE WHEN q.n = 0 THEN (${numberedWires} ORDER BY w.created_at DESC, w.sender_no DESC LIMIT 1) END AS last,
        (${numberedWires} AND w.created_at > q.since ORDER BY w.created_at, w.sender_no LIMIT 1) AS first
      FROM ${WINDOWS.materialisedTable("q")} WHERE ${condition}`,
      "sender, n, last, first",
    );
  }

  /** Parameters: the sender, and the maximum number of rows. */
  get newest(): string {
    return `SELECT * FROM (SELECT created_at, sender_no FROM ${this.table} WHERE ${this.sender} = ?1 AND sender_no IS NOT NULL
      ORDER BY created_at DESC, sender_no DESC LIMIT ?2) ${this.table}_newest`;
  }
}

const SENT = new WireLogTable("wires", "sender", "1 = 1");
/** Wires that were held for approval and not sent. Only senders with an egress policy have such wires. */
const UNSENT = new WireLogTable(
  "approvals",
  "handle",
  "EXISTS (SELECT 1 FROM egress_policies e WHERE e.handle = q.sender)",
);

/** Senders with the same primary key share one object. */
export async function senderLogs(
  trip: RoundTrip,
  senders: readonly { pk: number }[],
  at: number,
): Promise<SenderLog[]> {
  const pks = [...new Set(senders.map(({ pk }) => pk))];
  const windows: BoundRows = WINDOWS.bind(
    pks.flatMap((pk) => WIRE_LIMITS.map((limit, n) => [pk, n, windowStart(limit, at)])),
  );
  const [sent, unsent] = await inOneRoundTrip([
    trip.select(SENT.windows, [windows]),
    trip.select(UNSENT.windows, [windows]),
  ]);
  const logs = toLogs(sent);
  for (const [sender, log] of toLogs(unsent)) logs.set(sender, mergeLogs(logs.get(sender)!, log));
  return senders.map(({ pk }) => logs.get(pk)!);
}

function toLogs(rows: readonly WindowRow[]): Map<number, SenderLog> {
  const logs = new Map<number, SenderLog>();
  for (const { sender, n, last, first } of rows) {
    let log = logs.get(sender);
    if (!log) {
      log = { last: 0, lastAt: 0, windows: [] };
      logs.set(sender, log);
    }
    log.windows[n] = toPosition(first);
    const newest = toPosition(last);
    if (newest) {
      log.last = newest.no;
      log.lastAt = newest.at;
    }
  }
  return logs;
}

function toPosition(text: string | null): LogPosition | null {
  if (text === null) return null;
  const colon = text.indexOf(":");
  return { no: Number(text.slice(0, colon)), at: Number(text.slice(colon + 1)) };
}

function mergeLogs(sent: SenderLog, unsent: SenderLog): SenderLog {
  return {
    last: Math.max(sent.last, unsent.last),
    lastAt: Math.max(sent.lastAt, unsent.lastAt),
    windows: sent.windows.map((first, n) => {
      const other = unsent.windows[n]!;
      return first && (!other || first.no < other.no) ? first : other;
    }),
  };
}

async function sentAt(session: Session, sender: number, after: number): Promise<number | undefined> {
  const row = await session.get<{ created_at: number }>(
    `SELECT created_at FROM (${SENT.newest} UNION ALL ${UNSENT.newest}) newest
     ORDER BY created_at DESC, sender_no DESC LIMIT 1 OFFSET ?3`,
    [sender, after + 1, after],
  );
  return row?.created_at;
}
