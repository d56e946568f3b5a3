/**
 * Computes the rate limit usage of callers from stored rows, in exact sliding windows. Separate counters
 * could drift from the stored data.
 */
import { type LimitName, RATE_LIMITS } from "../../contract/limits.js";
import { SECOND } from "../../kernel/clock.js";
import type { Session } from "../engine/engine.js";
import { type Queries, type Query, runSelects, Select } from "../engine/selects.js";
import { RowsParameter } from "../engine/sql.js";

export interface Usage {
  used: number;
  /** Time of the oldest counted row in the window. Null if no row was counted. */
  oldestAt: number | null;
}

/** The handle and the account for which rate limits are counted. */
export interface RateLimitedCaller {
  pk: number;
  account: { pk: number };
}

/** The usage of one caller, with one entry per requested limit, in the same order. */
export interface CallerUsage {
  usage: readonly Usage[];
  /** Summary of the sender's wires. It is undefined if none of the requested limits counts wires. */
  log: SenderLog | undefined;
}

/**
 * Rate limits on wires. The wires of a sender are numbered, so the usage is a difference of two numbers and
 * not a row count.
 */
export const WIRE_LIMITS = ["wires_per_minute", "wires_per_day"] as const satisfies readonly LimitName[];
type WireLimit = (typeof WIRE_LIMITS)[number];
type CountedLimit = Exclude<LimitName, WireLimit>;

/**
 * Returns the queries that {@link toCallerUsage} needs, so that the caller can combine them with others in
 * one round trip.
 */
export function usageQueries(
  limits: readonly LimitName[],
  callers: readonly RateLimitedCaller[],
  at: number,
): Queries {
  const queries: Record<string, Query<unknown>> = {};
  for (const limit of limits) {
    if (isWireLimit(limit)) queries.sent ??= SENT.query(callers, at);
    else queries[limit] = countQuery(limit, callers, at);
  }
  return queries;
}

/** Computes the rate limit usage of each caller from the rows of {@link usageQueries}. */
export async function toCallerUsage(
  session: Session,
  limits: readonly LimitName[],
  callers: readonly RateLimitedCaller[],
  rows: Record<string, unknown[]>,
  at: number,
): Promise<CallerUsage[]> {
  const logs = rows.sent && toLogs(rows.sent as WindowRow[]);
  if (logs) await addUnsent(session, logs, callers, at);
  const counts = new Map<string, CountRow>();
  for (const limit of limits)
    if (!isWireLimit(limit))
      for (const row of rows[limit] as CountRow[]) counts.set(`${limit} ${row.n}`, row);
  return callers.map((caller, n) => {
    const log = logs?.get(caller.pk);
    const usage = limits.map((limit) => {
      if (isWireLimit(limit)) return windowUsage(log!, limit);
      const { used, oldest } = counts.get(`${limit} ${n}`)!;
      return { used, oldestAt: oldest };
    });
    return { usage, log };
  });
}

/** Returns how much of each rate limit each of the callers has used, in the order of `limits`. */
export async function usageOf(
  session: Session,
  limits: readonly LimitName[],
  callers: readonly RateLimitedCaller[],
  at: number,
): Promise<(readonly Usage[])[]> {
  const rows = await runSelects(session, usageQueries(limits, callers, at));
  const found = await toCallerUsage(session, limits, callers, rows, at);
  return found.map(({ usage }) => usage);
}

/** Returns the time of an earlier use of a rate limit. The `after` newest uses are skipped. */
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
  const { window } = RATE_LIMITS[limit];
  return window === null ? 0 : at - window * SECOND;
}

function subjectOf(limit: CountedLimit, { pk, account }: RateLimitedCaller): number {
  return RATE_LIMITS[limit].subject === "account" ? account.pk : pk;
}

const SOURCES: Record<CountedLimit, { table: string; subject: string }> = {
  // A knock that was held for approval counts at the time when it was held, even if it was never sent.
  knocks_per_hour: {
    table: `(SELECT k.sender, k.created_at FROM knocks k WHERE NOT EXISTS (SELECT 1 FROM approvals a WHERE a.ref = k.id)
      UNION ALL SELECT a.handle, a.created_at FROM approvals a WHERE a.kind = 'knock') all_knocks`,
    subject: "sender",
  },
  spaces_per_hour: { table: "spaces", subject: "creator" },
  spaces_per_account: { table: "spaces", subject: "creator_account" },
  schemas_per_hour: { table: "schemas", subject: "registrar" },
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
    (
      engine,
    ) => `SELECT q.n, (SELECT count(*) ${inWindow}) AS used, (SELECT min(created_at) ${inWindow}) AS oldest
      FROM ${SUBJECTS.materialisedTable(engine, "q")}`,
    "n, used, oldest",
  );
}

const COUNTS: Record<CountedLimit, Select<CountRow>> = {
  knocks_per_hour: countsOf("knocks_per_hour"),
  spaces_per_hour: countsOf("spaces_per_hour"),
  spaces_per_account: countsOf("spaces_per_account"),
  schemas_per_hour: countsOf("schemas_per_hour"),
};

function countQuery(limit: CountedLimit, callers: readonly RateLimitedCaller[], at: number): Query<CountRow> {
  const since = windowStart(limit, at);
  const subjects = callers.map((caller, n) => [n, subjectOf(limit, caller), since]);
  return { select: COUNTS[limit], params: [SUBJECTS.bind(subjects)] };
}

/**
 * Summary of a sender's numbered wires. A wire that was held for approval keeps its number and time when it
 * is sent.
 */
export interface SenderLog {
  /** Number and time of the sender's last wire. Both are 0 if there is no wire. */
  last: number;
  lastAt: number;
  /** For each of `WIRE_LIMITS`, the first wire in its time window. Null if the window contains no wire. */
  windows: (LogPosition | null)[];
  /** Whether the sender has an egress policy. Without a policy, no wire is blocked or held. */
  hasPolicy: boolean;
}

interface LogPosition {
  no: number;
  at: number;
}

function windowUsage({ last, windows }: SenderLog, limit: WireLimit): Usage {
  const first = windows[WIRE_LIMITS.indexOf(limit)] ?? null;
  return first ? { used: last - first.no + 1, oldestAt: first.at } : { used: 0, oldestAt: null };
}

interface WindowRow {
  sender: number;
  /** Index of the rate limit in `WIRE_LIMITS`. */
  n: number;
  /**
   * Number and time of the sender's last wire, formatted as `number:time`. `last` and `policies` are null
   * except in the first row of each sender.
   */
  last: string | null;
  policies: number | null;
  /** Number and time of the first wire in the window, formatted as `number:time`. */
  first: string | null;
}

const WINDOWS = new RowsParameter({ sender: "integer", n: "integer", since: "integer" });

/**
 * Builds queries on a table that numbers the wires of each sender. In the index (sender, created_at,
 * sender_no), times and numbers both increase.
 */
class WireLogTable {
  private readonly windows: Select<WindowRow>;

  constructor(
    private readonly table: string,
    private readonly sender: string,
  ) {
    const position = "CAST(w.sender_no AS TEXT) || ':' || CAST(w.created_at AS TEXT)";
    const numberedWires = `SELECT ${position} FROM ${table} w WHERE w.${sender} = q.sender AND w.sender_no IS NOT NULL`;
    this.windows = new Select(
      (engine) => `
      SELECT q.sender, q.n,
        CASE WHEN q.n = 0 THEN (${numberedWires} ORDER BY w.created_at DESC, w.sender_no DESC LIMIT 1) END AS last,
        CASE WHEN q.n = 0 THEN (SELECT count(*) FROM egress_policies e WHERE e.handle = q.sender) END AS policies,
        (${numberedWires} AND w.created_at > q.since ORDER BY w.created_at, w.sender_no LIMIT 1) AS first
      FROM ${WINDOWS.materialisedTable(engine, "q")}`,
      "sender, n, last, policies, first",
    );
  }

  query(callers: readonly RateLimitedCaller[], at: number): Query<WindowRow> {
    const senders = [...new Set(callers.map(({ pk }) => pk))];
    const rows = senders.flatMap((sender) =>
      WIRE_LIMITS.map((limit, n) => [sender, n, windowStart(limit, at)]),
    );
    return { select: this.windows, params: [WINDOWS.bind(rows)] };
  }

  /** Selects the newest wires of one sender. Parameters: the sender as `?1`, the limit as `?2`. */
  get newest(): string {
    return `SELECT * FROM (SELECT created_at, sender_no FROM ${this.table} WHERE ${this.sender} = ?1 AND sender_no IS NOT NULL
      ORDER BY created_at DESC, sender_no DESC LIMIT ?2) ${this.table}_newest`;
  }
}

const SENT = new WireLogTable("wires", "sender");
/** Wires that were held for approval and not sent. They are pending, rejected or withdrawn. */
const UNSENT = new WireLogTable("approvals", "handle");

type Logs = Map<number, SenderLog>;

function toLogs(rows: readonly WindowRow[]): Logs {
  const logs: Logs = new Map();
  for (const { sender, n, last, policies, first } of rows) {
    let log = logs.get(sender);
    if (!log) {
      log = { last: 0, lastAt: 0, hasPolicy: false, windows: [] };
      logs.set(sender, log);
    }
    log.windows[n] = toPosition(first);
    if (n > 0) continue;
    const { no, at } = toPosition(last) ?? { no: 0, at: 0 };
    log.last = no;
    log.lastAt = at;
    log.hasPolicy = policies === 1;
  }
  return logs;
}

function toPosition(text: string | null): LogPosition | null {
  if (text === null) return null;
  const colon = text.indexOf(":");
  return { no: Number(text.slice(0, colon)), at: Number(text.slice(colon + 1)) };
}

/** Adds unsent wires that were held for approval. Only senders with an egress policy are queried. */
async function addUnsent(
  session: Session,
  logs: Logs,
  callers: readonly RateLimitedCaller[],
  at: number,
): Promise<void> {
  const withPolicy = callers.filter(({ pk }) => logs.get(pk)!.hasPolicy);
  if (withPolicy.length === 0) return;
  const { unsent } = await runSelects(session, { unsent: UNSENT.query(withPolicy, at) });
  for (const [sender, log] of toLogs(unsent)) logs.set(sender, mergeLogs(logs.get(sender)!, log));
}

function mergeLogs(sent: SenderLog, unsent: SenderLog): SenderLog {
  return {
    last: Math.max(sent.last, unsent.last),
    lastAt: Math.max(sent.lastAt, unsent.lastAt),
    hasPolicy: sent.hasPolicy,
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
