/**
 * What callers have used of their rate limits: counts over what is stored, in exact sliding windows. Nothing is counted
 * twice and no counter can drift.
 */
import { type LimitName, RATE_LIMITS } from "../contract/limits.js";
import { SECOND } from "../kernel/clock.js";
import type { Session } from "./engine/engine.js";
import { type Queries, type Query, RowsOf, Select, select } from "./engine/sql.js";

/** What a caller has used of one limit, within its window. */
export interface Usage {
  used: number;
  /** When the oldest one in the window was made; null with none. */
  oldestAt: number | null;
}

/** Whose acts are counted: a handle, and the account that it belongs to. */
export interface LimitSubject {
  pk: number;
  account: { pk: number };
}

/** What one caller has used of the limits that were asked for, in their order. */
export interface CallerUsage {
  usage: readonly Usage[];
  /** Where its wires stand; only where a limit on wires was asked for. */
  log: SenderLog | undefined;
}

/** Limits on wires, which are numbered by sender so that a window costs one seek however many wires it holds. */
export const WIRE_LIMITS = ["wires_per_minute", "wires_per_day"] as const satisfies readonly LimitName[];
type WireLimit = (typeof WIRE_LIMITS)[number];
type CountedLimit = Exclude<LimitName, WireLimit>;

/** The queries of {@link usageFrom}, for a round trip with others. */
export function usageQueries(
  limits: readonly LimitName[],
  callers: readonly LimitSubject[],
  at: number,
): Queries {
  const queries: Record<string, Query<unknown>> = {};
  for (const limit of limits) {
    if (isWireLimit(limit)) queries.sent ??= SENT.query(callers, at);
    else queries[limit] = countQuery(limit, callers, at);
  }
  return queries;
}

/** What each caller has used of the limits, from the rows of {@link usageQueries}. */
export async function usageFrom(
  session: Session,
  limits: readonly LimitName[],
  callers: readonly LimitSubject[],
  rows: Record<string, unknown[]>,
  at: number,
): Promise<CallerUsage[]> {
  const logs = rows.sent && toLogs(rows.sent as WindowRow[]);
  if (logs) await addUnsent(session, logs, callers, at);
  return callers.map((caller, n) => {
    const log = logs?.get(caller.pk);
    const usage = limits.map((limit) => {
      if (isWireLimit(limit)) return windowUsage(log!, limit);
      const { used, oldest } = (rows[limit] as CountRow[]).find((row) => row.n === n)!;
      return { used, oldestAt: oldest };
    });
    return { usage, log };
  });
}

/** The same in a round trip of its own. */
export async function usageOf(
  session: Session,
  limits: readonly LimitName[],
  caller: LimitSubject,
  at: number,
): Promise<readonly Usage[]> {
  const rows = await select(session, usageQueries(limits, [caller], at));
  const [found] = await usageFrom(session, limits, [caller], rows, at);
  return found!.usage;
}

/** When the one was made that has `after` younger ones of the same caller after it. */
export async function usedAt(
  session: Session,
  limit: LimitName,
  caller: LimitSubject,
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

function windowStart(limit: LimitName, at: number): number {
  const { window } = RATE_LIMITS[limit];
  return window === null ? 0 : at - window * SECOND;
}

function subjectOf(limit: CountedLimit, { pk, account }: LimitSubject): number {
  return RATE_LIMITS[limit].subject === "account" ? account.pk : pk;
}

const SOURCES: Record<CountedLimit, { table: string; subject: string }> = {
  // A held knock counts from when it was handed in, whether and whenever it is sent.
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

const SUBJECTS = new RowsOf({ n: "integer", subject: "integer", since: "integer" });

function countsOf(limit: CountedLimit): Select<CountRow> {
  const { table, subject } = SOURCES[limit];
  const inWindow = `FROM ${table} WHERE ${subject} = q.subject AND created_at > q.since`;
  return new Select(
    (
      engine,
    ) => `SELECT q.n, (SELECT count(*) ${inWindow}) AS used, (SELECT min(created_at) ${inWindow}) AS oldest
      FROM ${SUBJECTS.asRead(engine, "q")}`,
    "n, used, oldest",
  );
}

const COUNTS: Record<CountedLimit, Select<CountRow>> = {
  knocks_per_hour: countsOf("knocks_per_hour"),
  spaces_per_hour: countsOf("spaces_per_hour"),
  spaces_per_account: countsOf("spaces_per_account"),
  schemas_per_hour: countsOf("schemas_per_hour"),
};

function countQuery(limit: CountedLimit, callers: readonly LimitSubject[], at: number): Query<CountRow> {
  const since = windowStart(limit, at);
  const subjects = callers.map((caller, n) => [n, subjectOf(limit, caller), since]);
  return { select: COUNTS[limit], params: [SUBJECTS.bind(subjects)] };
}

/**
 * The numbered wires of a sender. A held wire has its place in it from the moment at which it was handed in, also once it is
 * sent.
 */
export interface SenderLog {
  /** Number and time of the last wire; 0 before the first. */
  last: number;
  lastAt: number;
  /** The first wire in the window of each limit on wires; null where there is none. */
  windows: (LogPlace | null)[];
  /** Whether the sender has, or had, an egress policy: only then can anything of it be blocked or held. */
  hasPolicy: boolean;
}

interface LogPlace {
  no: number;
  at: number;
}

function windowUsage({ last, windows }: SenderLog, limit: WireLimit): Usage {
  const first = windows[WIRE_LIMITS.indexOf(limit)] ?? null;
  return first ? { used: last - first.no + 1, oldestAt: first.at } : { used: 0, oldestAt: null };
}

interface WindowRow {
  sender: number;
  /** Index of the limit. */
  n: number;
  /** Number and time of the last wire as `no:at`; this and `policies` only in a sender's first row. */
  last: string | null;
  policies: number | null;
  /** The first wire in the window, likewise. */
  first: string | null;
}

const WINDOWS = new RowsOf({ sender: "integer", n: "integer", since: "integer" });

/** Windows over a table of numbered wires. Numbers and times grow together along its index. */
class LogTable {
  private readonly windows: Select<WindowRow>;

  constructor(
    readonly table: string,
    readonly sender: string,
  ) {
    const place = "CAST(w.sender_no AS TEXT) || ':' || CAST(w.created_at AS TEXT)";
    const own = `SELECT ${place} FROM ${table} w WHERE w.${sender} = q.sender AND w.sender_no IS NOT NULL`;
    this.windows = new Select(
      (engine) => `
      SELECT q.sender, q.n,
        CASE WHEN q.n = 0 THEN (${own} ORDER BY w.created_at DESC, w.sender_no DESC LIMIT 1) END AS last,
        CASE WHEN q.n = 0 THEN (SELECT count(*) FROM egress_policies e WHERE e.handle = q.sender) END AS policies,
        (${own} AND w.created_at > q.since ORDER BY w.created_at, w.sender_no LIMIT 1) AS first
      FROM ${WINDOWS.asRead(engine, "q")}`,
      "sender, n, last, policies, first",
    );
  }

  query(callers: readonly LimitSubject[], at: number): Query<WindowRow> {
    const senders = [...new Set(callers.map(({ pk }) => pk))];
    const asked = senders.flatMap((sender) =>
      WIRE_LIMITS.map((limit, n) => [sender, n, windowStart(limit, at)]),
    );
    return { select: this.windows, params: [WINDOWS.bind(asked)] };
  }

  /** The newest `?2` of sender `?1`. */
  get newest(): string {
    return `SELECT * FROM (SELECT created_at, sender_no FROM ${this.table} WHERE ${this.sender} = ?1 AND sender_no IS NOT NULL
      ORDER BY created_at DESC, sender_no DESC LIMIT ?2) ${this.table}_newest`;
  }
}

const SENT = new LogTable("wires", "sender");
/** Held wires, and those that were rejected or withdrawn. */
const UNSENT = new LogTable("approvals", "handle");

type Logs = Map<number, SenderLog>;

function toLogs(rows: readonly WindowRow[]): Logs {
  const logs: Logs = new Map();
  for (const { sender, n, last, policies, first } of rows) {
    let log = logs.get(sender);
    if (!log) {
      log = { last: 0, lastAt: 0, hasPolicy: false, windows: [] };
      logs.set(sender, log);
    }
    log.windows[n] = toPlace(first);
    if (n > 0) continue;
    const { no, at } = toPlace(last) ?? { no: 0, at: 0 };
    log.last = no;
    log.lastAt = at;
    log.hasPolicy = policies === 1;
  }
  return logs;
}

function toPlace(text: string | null): LogPlace | null {
  if (text === null) return null;
  const colon = text.indexOf(":");
  return { no: Number(text.slice(0, colon)), at: Number(text.slice(colon + 1)) };
}

/** Adds the unsent wires of senders that have a policy to their logs. */
async function addUnsent(
  session: Session,
  logs: Logs,
  callers: readonly LimitSubject[],
  at: number,
): Promise<void> {
  const held = callers.filter(({ pk }) => logs.get(pk)!.hasPolicy);
  if (held.length === 0) return;
  const { unsent } = await select(session, { unsent: UNSENT.query(held, at) });
  for (const [sender, log] of toLogs(unsent)) logs.set(sender, merged(logs.get(sender)!, log));
}

function merged(sent: SenderLog, unsent: SenderLog): SenderLog {
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
