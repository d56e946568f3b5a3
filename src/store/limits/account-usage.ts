/**
 * Computes how much the handles of an account have used together. An account with at most `account_factor` handles cannot use up its
 * limits before those of its handles, so its usage is not computed.
 */
import { type LimitName, LONGEST_ACCOUNT_WINDOW } from "../../contract/limits.js";
import { SECOND } from "../../kernel/clock.js";
import type { Session, Transaction } from "../engine/engine.js";
import {
  NUMBERED_INTEGERS,
  numberedIntegers,
  perEngine,
  type Query,
  RowsParameter,
  Select,
  type Sql,
} from "../engine/sql.js";
import { type Usage, usageOf, windowStart } from "./usage.js";

/** A handle whose usage counts for its account. */
export interface CountedHandle {
  account: number;
  pk: number;
}

const ACCOUNTS = new RowsParameter({ account: "integer" });

/** Whether an account has more handles than the parameter. Retired ones count, so that the answer never becomes false again. */
const isCrowded = (account: string) =>
  `EXISTS (SELECT 1 FROM handles o WHERE o.account = ${account} LIMIT 1 OFFSET ?)`;

const COUNTED_HANDLES = new Select<CountedHandle>(
  (engine) => `
  SELECT h.account, h.pk
  FROM (SELECT q.account FROM ${ACCOUNTS.table(engine, "q")} WHERE ${isCrowded("q.account")}) c
  CROSS JOIN handles h WHERE h.account = c.account AND (h.retired_at IS NULL OR h.retired_at > ?)`,
  "account, pk",
);

/**
 * Returns the query for the handles of those accounts that have more than `factor`, without handles that were retired so long ago that
 * nothing of them counts.
 */
export function countedHandlesQuery(
  accounts: readonly number[],
  factor: number,
  at: number,
): Query<CountedHandle> {
  const distinct = [...new Set(accounts)].map((account) => [account]);
  return {
    select: COUNTED_HANDLES,
    params: [ACCOUNTS.bind(distinct), factor, at - LONGEST_ACCOUNT_WINDOW * SECOND],
  };
}

const LOCK = `SELECT 1 FROM accounts a WHERE a.pk IN (SELECT q.account FROM ${ACCOUNTS.table("postgres", "q")})
  AND ${isCrowded("a.pk")} ORDER BY a.pk FOR NO KEY UPDATE`;

/**
 * Locks those accounts that have more than `factor` handles, so that their handles do not exceed a limit together. The locks of the
 * handles are enough for the others, whose calls do not wait for each other.
 */
export async function lockCrowdedAccounts(
  tx: Transaction,
  accounts: readonly number[],
  factor: number,
): Promise<void> {
  if (tx.engine === "sqlite" || accounts.length === 0) return;
  await tx.all(LOCK, [ACCOUNTS.bind([...new Set(accounts)].map((account) => [account])), factor]);
}

/** Returns how much the handles of each account have used of each limit together, by primary key of the account. */
export async function usageOfAccounts(
  session: Session,
  limits: readonly LimitName[],
  handles: readonly CountedHandle[],
  at: number,
): Promise<Map<number, Usage[]>> {
  const callers = handles.map(({ pk, account }) => ({ pk, account: { pk: account } }));
  const usage = await usageOf(session, limits, callers, at);
  const totals = new Map<number, Usage[]>();
  for (const [n, { account }] of handles.entries()) {
    const total = totals.get(account);
    totals.set(account, total ? total.map((sum, i) => add(sum, usage[n]![i]!)) : [...usage[n]!]);
  }
  return totals;
}

function add(a: Usage, b: Usage): Usage {
  const times = [a.oldestAt, b.oldestAt].filter((time) => time !== null);
  return { used: a.used + b.used, oldestAt: times.length > 0 ? Math.min(...times) : null };
}

type CountedLimit = "wires_per_minute" | "knocks_per_hour" | "spaces_per_hour" | "schemas_per_hour";

/** The rows that count against each limit: tables with the column of the handle, and a condition. */
const SOURCES: Record<CountedLimit, readonly [table: string, handle: string, condition?: string][]> = {
  wires_per_minute: [
    ["wires", "sender", "sender_no IS NOT NULL"],
    ["approvals", "handle", "sender_no IS NOT NULL"],
  ],
  knocks_per_hour: [
    ["knocks", "sender", "NOT EXISTS (SELECT 1 FROM approvals a WHERE a.ref = t.id)"],
    ["approvals", "handle", "kind = 'knock'"],
  ],
  spaces_per_hour: [["spaces", "creator"]],
  schemas_per_hour: [["schemas", "registrar"]],
};

const NEWEST = Object.fromEntries(
  Object.entries(SOURCES).map(([limit, sources]) => [limit, newestOf(sources)]),
) as Record<CountedLimit, Sql>;

function newestOf(sources: (typeof SOURCES)[CountedLimit]): Sql {
  return perEngine((engine) => {
    const times = sources.map(
      ([table, handle, condition = "1 = 1"]) =>
        `SELECT t.created_at FROM ${NUMBERED_INTEGERS.table(engine, "q")} CROSS JOIN ${table} t
         WHERE t.${handle} = q.value AND t.created_at > ? AND ${condition}`,
    );
    return `SELECT created_at FROM (${times.join(" UNION ALL ")}) times ORDER BY created_at DESC LIMIT 1 OFFSET ?`;
  });
}

/** Returns the time of an earlier use of a limit by one of the handles. The `after` newest uses are skipped. */
export async function timeOfNthNewestOf(
  session: Session,
  limit: LimitName,
  handles: readonly CountedHandle[],
  after: number,
  at: number,
): Promise<number | undefined> {
  const rows = numberedIntegers(handles.map(({ pk }) => pk));
  const params = SOURCES[limit as CountedLimit].flatMap(() => [rows, windowStart(limit, at)]);
  const row = await session.get<{ created_at: number }>(NEWEST[limit as CountedLimit], [...params, after]);
  return row?.created_at;
}
