/**
 * Counts how much of a rate limit all handles of an account have used together. Only crowded accounts, which
 * have more than `account_factor` handles, need this, because in other accounts the handles reach their own
 * limits first.
 */
import { LONGEST_ACCOUNT_WINDOW } from "../../contract/limits.js";
import type { Usage } from "../../domain/rate-limits.js";
import { SECOND } from "../../kernel/clock.js";
import type { Session, SqlValue, Transaction } from "../engine/engine.js";
import { inOneRoundTrip, type RoundTrip, Select } from "../engine/selects.js";
import { RowsParameter, sql } from "../engine/sql.js";
import { RETIRED_AT } from "./counts.js";
import { windowStart } from "./usage.js";

export type AccountLimit =
  | "wires_per_minute"
  | "knocks_per_hour"
  | "spaces_per_hour"
  | "schemas_per_hour"
  | "mentions_per_hour";

interface Source {
  table: string;
  handle: string;
  condition?: string;
}

/**
 * The rows that count against each limit. A sender's wires are numbered across the tables `wires` and
 * `approvals`.
 */
const SOURCES: Record<AccountLimit, readonly Source[]> = {
  wires_per_minute: [
    { table: "wires", handle: "sender", condition: "t.sender_no IS NOT NULL" },
    { table: "approvals", handle: "handle", condition: "t.sender_no IS NOT NULL" },
  ],
  knocks_per_hour: [
    {
      table: "knocks",
      handle: "sender",
      condition: "NOT EXISTS (SELECT 1 FROM approvals a WHERE a.ref = t.id)",
    },
    { table: "approvals", handle: "handle", condition: "t.kind = 'knock'" },
  ],
  spaces_per_hour: [{ table: "spaces", handle: "creator" }],
  schemas_per_hour: [{ table: "schemas", handle: "registrar" }],
  mentions_per_hour: [{ table: "mentions", handle: "sender" }],
};

const ACCOUNTS = new RowsParameter({ account: "integer" });

/** An account is crowded if it has more handles than the parameter, including retired ones. */
const isCrowded = (account: string) =>
  `EXISTS (SELECT 1 FROM handles o WHERE o.account = ${account} LIMIT 1 OFFSET ?)`;

/** Omits handles that were retired long ago, because their rows no longer count. */
const HANDLES_OF = sql`(SELECT q.account FROM ${ACCOUNTS.table("q")} WHERE ${isCrowded("q.account")}) c
   CROSS JOIN handles h`;
const OF_ACCOUNT = `h.account = c.account AND ${RETIRED_AT} > ?`;

interface UsageRow {
  account: number;
  handle: number;
  first: number;
  last: number;
  oldest: number;
}

/** Wires are numbered, so their count is the difference of two numbers. Other rows are few. */
const USAGE = Object.fromEntries(
  Object.entries(SOURCES).map(([limit, sources]) => [
    limit,
    sources.map((source) => (limit === "wires_per_minute" ? numberedRows(source) : countedRows(source))),
  ]),
) as Record<AccountLimit, Select<UsageRow>[]>;

function numberedRows({ table, handle, condition }: Source): Select<UsageRow> {
  const rows = `FROM ${table} t WHERE t.${handle} = h.pk AND ${condition}`;
  return new Select(
    sql`
    SELECT c.account, h.pk AS handle, f.sender_no AS first, f.created_at AS oldest,
      (SELECT t.sender_no ${rows} ORDER BY t.created_at DESC, t.sender_no DESC LIMIT 1) AS last
    FROM ${HANDLES_OF} CROSS JOIN ${table} f
    WHERE ${OF_ACCOUNT}
      AND f.pk = (SELECT t.pk ${rows} AND t.created_at > ? ORDER BY t.created_at, t.sender_no LIMIT 1)`,
    "account, handle, first, last, oldest",
  );
}

function countedRows({ table, handle, condition = "1 = 1" }: Source): Select<UsageRow> {
  return new Select(
    sql`
    SELECT c.account, h.pk AS handle, 1 AS first, count(*) AS last, min(t.created_at) AS oldest
    FROM ${HANDLES_OF} CROSS JOIN ${table} t
    WHERE ${OF_ACCOUNT} AND t.${handle} = h.pk AND t.created_at > ? AND ${condition}
    GROUP BY c.account, h.pk`,
    "account, handle, first, last, oldest",
  );
}

function handlesSince(at: number): number {
  return at - LONGEST_ACCOUNT_WINDOW * SECOND;
}

/** Returns the usage of each crowded account, by the account's primary key. */
export async function accountUsage(
  trip: RoundTrip,
  limit: AccountLimit,
  accounts: readonly number[],
  factor: number,
  at: number,
): Promise<Map<number, Usage>> {
  const wanted = ACCOUNTS.bind([...new Set(accounts)].map((account) => [account]));
  const params = [wanted, factor, handlesSince(at), windowStart(limit, at)];
  const found = await inOneRoundTrip(USAGE[limit].map((select) => trip.select(select, params)));
  const handles = new Map<number, UsageRow>();
  for (const row of found.flat()) {
    const other = handles.get(row.handle);
    handles.set(row.handle, other ? merged(limit, row, other) : row);
  }
  const totals = new Map<number, Usage>();
  for (const { account, first, last, oldest } of handles.values()) {
    const { used, oldestAt } = totals.get(account) ?? { used: 0, oldestAt: oldest };
    totals.set(account, { used: used + last - first + 1, oldestAt: Math.min(oldestAt!, oldest) });
  }
  return totals;
}

/** Wires share one sequence of numbers across both tables, while other rows are counted per table. */
function merged(limit: AccountLimit, a: UsageRow, b: UsageRow): UsageRow {
  const oldest = Math.min(a.oldest, b.oldest);
  return limit === "wires_per_minute"
    ? { ...a, oldest, first: Math.min(a.first, b.first), last: Math.max(a.last, b.last) }
    : { ...a, oldest, last: a.last + b.last };
}

const LOCK = `SELECT 1 FROM accounts a WHERE a.pk IN (SELECT q.account FROM ${ACCOUNTS.table("q").postgres})
  AND ${isCrowded("a.pk")} ORDER BY a.pk FOR NO KEY UPDATE`;

/**
 * Locks crowded accounts, so that concurrent calls cannot exceed a limit together. Calls of other accounts
 * need not wait.
 */
export async function lockCrowdedAccounts(
  tx: Transaction,
  accounts: readonly number[],
  factor: number,
): Promise<void> {
  if (tx.engine === "sqlite" || accounts.length === 0) return;
  await tx.all(LOCK, [ACCOUNTS.bind([...new Set(accounts)].map((account) => [account])), factor]);
}

/** Skips the `after` newest uses of a limit, and returns the time of the next older one. */
export async function timeOfNthNewestOfAccount(
  session: Session,
  limit: AccountLimit,
  account: number,
  after: number,
  at: number,
): Promise<number | undefined> {
  const times = SOURCES[limit].map(
    ({ table, handle, condition = "1 = 1" }) =>
      `SELECT t.created_at FROM handles h CROSS JOIN ${table} t
       WHERE h.account = ? AND ${RETIRED_AT} > ? AND t.${handle} = h.pk AND t.created_at > ? AND ${condition}`,
  );
  const params: SqlValue[] = times.flatMap(() => [account, handlesSince(at), windowStart(limit, at)]);
  const row = await session.get<{ created_at: number }>(
    `SELECT created_at FROM (${times.join(" UNION ALL ")}) times ORDER BY created_at DESC LIMIT 1 OFFSET ?`,
    [...params, after],
  );
  return row?.created_at;
}
