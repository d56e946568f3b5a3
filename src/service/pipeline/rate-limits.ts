/** Reads the callers' rate-limit usage. */

import { accountLimit, type LimitName, type LimitSettings, type LimitState } from "../../contract/limits.js";
import {
  type Added,
  type CallerUsage,
  limitCounts,
  limitStates,
  type Usage,
} from "../../domain/rate-limits.js";
import type { Session } from "../../store/engine/engine.js";
import { inOneRoundTrip, RoundTrip } from "../../store/engine/selects.js";
import {
  type AccountLimit,
  accountUsage,
  timeOfNthNewestOfAccount,
} from "../../store/limits/account-usage.js";
import { type RateLimitedCaller, timeOfNthNewest, usageOf } from "../../store/limits/usage.js";

export function accountLimits(settings: LimitSettings, names: readonly LimitName[]): AccountLimit[] {
  return names.filter((name): name is AccountLimit => accountLimit(settings, name) !== null);
}

export async function loadUsage(
  trip: RoundTrip,
  settings: LimitSettings,
  names: readonly LimitName[],
  callers: readonly RateLimitedCaller[],
  at: number,
  amounts?: readonly number[],
): Promise<CallerUsage[]> {
  const [own, together] = await inOneRoundTrip([
    usageOf(trip, names, callers, at),
    loadAccountUsage(trip, settings, names, callers, at),
  ]);
  const usage = callers.map((_, n) => ({ usage: own[n]!, accountUsage: together[n]! }));
  await addBlockingTimes(trip.session, settings, names, callers, usage, at, amounts);
  return usage;
}

export const NOTHING_ADDED: Added = { ofHandle: 0, ofAccount: 0 };
const NOTHING_USED: Usage = { used: 0, oldestAt: null };

/**
 * Returns how much of each limit each caller's account has used. Undefined if a limit applies only to single
 * handles.
 */
export async function loadAccountUsage(
  trip: RoundTrip,
  settings: LimitSettings,
  names: readonly LimitName[],
  callers: readonly RateLimitedCaller[],
  at: number,
): Promise<(Usage | undefined)[][]> {
  const limits = callers.length === 0 ? [] : accountLimits(settings, names);
  const accounts = callers.map(({ account }) => account.pk);
  const found = await inOneRoundTrip(
    limits.map((limit) => accountUsage(trip, limit, accounts, settings.account_factor!, at)),
  );
  const byLimit = new Map<LimitName, Map<number, Usage>>(limits.map((limit, n) => [limit, found[n]!]));
  return callers.map(({ account }) =>
    names.map((name) => {
      const totals = byLimit.get(name);
      return totals && (totals.get(account.pk) ?? NOTHING_USED);
    }),
  );
}

/** @param amounts how much each caller is about to use of the limits; 1 by default */
export async function addBlockingTimes(
  session: Session,
  settings: LimitSettings,
  names: readonly LimitName[],
  callers: readonly RateLimitedCaller[],
  usage: readonly CallerUsage[],
  at: number,
  amounts: readonly number[] = [],
): Promise<void> {
  for (const [i, caller] of callers.entries()) {
    const amount = amounts[i] ?? 1;
    const isBlocked = (used: number, limit: number) => used + amount > limit + 1 && amount <= limit;
    for (const [n, name] of names.entries()) {
      const own = usage[i]!.usage[n]!;
      const limit = settings[name];
      if (limit && isBlocked(own.used, limit))
        own.blockingAt = await timeOfNthNewest(session, name, caller, limit - amount);
      const together = usage[i]!.accountUsage[n];
      const ofAccount = accountLimit(settings, name);
      if (together && ofAccount && isBlocked(together.used, ofAccount))
        together.blockingAt = await timeOfNthNewestOfAccount(
          session,
          name as AccountLimit,
          caller.account.pk,
          ofAccount - amount,
          at,
        );
    }
  }
}

export async function readLimitStates(
  session: Session,
  settings: LimitSettings,
  names: readonly LimitName[],
  caller: RateLimitedCaller,
  at: number,
): Promise<LimitState[]> {
  const [usage] = await loadUsage(new RoundTrip(session), settings, names, [caller], at);
  return limitStates(limitCounts(settings, names, usage!, NOTHING_ADDED, at), at);
}
