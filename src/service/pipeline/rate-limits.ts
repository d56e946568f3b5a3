/** Reads how much of its rate limits a caller has used, and creates the error for an exhausted limit. */
import type { WireroomError } from "../../contract/errors.js";
import {
  accountLimit,
  type LimitName,
  type LimitSettings,
  type LimitState,
  RATE_LIMITS,
} from "../../contract/limits.js";
import {
  type CallerUsage,
  isUsedUp,
  type LimitCount,
  limitCounts,
  limitExceeded,
  limitStates,
  longestRateLimitError,
  type Usage,
} from "../../domain/rate-limits.js";
import type { Session } from "../../store/engine/engine.js";
import { type Queries, runSelects } from "../../store/engine/selects.js";
import {
  type AccountLimit,
  accountUsageQueries,
  timeOfNthNewestOfAccount,
  toAccountUsage,
} from "../../store/limits/account-usage.js";
import {
  type RateLimitedCaller,
  timeOfNthNewest,
  toCallerUsage,
  usageQueries,
} from "../../store/limits/usage.js";

/** Returns those of the limits that an account has as a whole. */
export function accountLimits(settings: LimitSettings, names: readonly LimitName[]): AccountLimit[] {
  return names.filter((name): name is AccountLimit => accountLimit(settings, name) !== null);
}

/** Returns the queries that `withAccountUsage` needs. */
export function accountQueries(
  settings: LimitSettings,
  names: readonly LimitName[],
  callers: readonly RateLimitedCaller[],
  at: number,
): Queries {
  const limits = accountLimits(settings, names);
  if (callers.length === 0 || limits.length === 0) return {};
  const accounts = callers.map(({ account }) => account.pk);
  return accountUsageQueries(limits, accounts, settings.account_factor!, at);
}

const NOTHING_USED: Usage = { used: 0, oldestAt: null };

/** Adds the usage of the callers' accounts to that of the callers. */
export function withAccountUsage(
  settings: LimitSettings,
  names: readonly LimitName[],
  callers: readonly RateLimitedCaller[],
  usage: readonly { usage: readonly Usage[] }[],
  rows: Record<string, unknown[]>,
): CallerUsage[] {
  const limits = accountLimits(settings, names);
  const totals = new Map(limits.map((limit) => [limit as LimitName, toAccountUsage(limit, rows)]));
  return usage.map(({ usage }, n) => ({
    usage,
    accountUsage: names.map((name) => {
      const total = totals.get(name);
      return total && (total.get(callers[n]!.account.pk) ?? NOTHING_USED);
    }),
  }));
}

/**
 * Returns a RATE_LIMITED error if a limit is exhausted, otherwise null. If several limits are exhausted, the
 * error is the one with the longest wait.
 */
export async function findRateLimitError(
  session: Session,
  caller: RateLimitedCaller,
  counts: readonly LimitCount[],
  at: number,
): Promise<WireroomError | null> {
  const refusals: WireroomError[] = [];
  for (const count of counts) {
    if (!isUsedUp(count)) continue;
    refusals.push(limitExceeded(count, await blockingTime(session, caller, count, at), at));
  }
  return longestRateLimitError(refusals);
}

/** Returns the time of the item that must leave the window, so that it contains only `limit - 1` items. */
async function blockingTime(
  session: Session,
  caller: RateLimitedCaller,
  { name, subject, limit, used, oldestAt, added }: LimitCount,
  at: number,
): Promise<number | undefined> {
  if (limit === 0) return undefined;
  if (used === limit) return oldestAt ?? undefined;
  // More than the limit were counted, because it was higher before.
  const after = limit! - 1 - added;
  if (after < 0) return at;
  return subject === RATE_LIMITS[name].subject
    ? timeOfNthNewest(session, name, caller, after)
    : timeOfNthNewestOfAccount(session, name as AccountLimit, caller.account.pk, after, at);
}

/** Reads the caller's states of the named limits from the database. */
export async function readLimitStates(
  session: Session,
  settings: LimitSettings,
  names: readonly LimitName[],
  caller: RateLimitedCaller,
  at: number,
): Promise<LimitState[]> {
  const rows = await runSelects(session, {
    ...usageQueries(names, [caller], at),
    ...accountQueries(settings, names, [caller], at),
  });
  const own = await toCallerUsage(session, names, [caller], rows, at);
  const [usage] = withAccountUsage(settings, names, [caller], own, rows);
  return limitStates(limitCounts(settings, names, usage!, { ofHandle: 0, ofAccount: 0 }, at), at);
}
