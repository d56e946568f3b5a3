/** Where a caller's rate limits stand, and the refusal of one that is used up. */
import type { WireroomError } from "../../contract/errors.js";
import type { LimitName, LimitSettings, LimitState } from "../../contract/limits.js";
import { limitExceeded, limitStates, worstRefusal } from "../../domain/rate-limits.js";
import type { Session } from "../../store/engine/engine.js";
import { type LimitSubject, usageOf, usedAt } from "../../store/usage.js";

/** The refusal of the limit that is used up for longest; null where all leave room. @param added as in `limitStates` */
export async function limitRefusal(
  session: Session,
  caller: LimitSubject,
  states: readonly LimitState[],
  added: number,
  at: number,
): Promise<WireroomError | null> {
  const refusals: WireroomError[] = [];
  for (const { name, limit, remaining } of states) {
    if (limit === null || remaining !== 0) continue;
    // The next one passes once `limit - 1` younger ones are left; those added just now are the youngest.
    const leavesAt = limit <= added ? at : await usedAt(session, name, caller, limit - 1 - added);
    refusals.push(limitExceeded(name, limit, limit === 0 ? undefined : leavesAt, at));
  }
  return worstRefusal(refusals);
}

/** Where limits stand by what is stored. */
export async function storedLimitStates(
  session: Session,
  settings: LimitSettings,
  names: readonly LimitName[],
  caller: LimitSubject,
  at: number,
): Promise<LimitState[]> {
  return limitStates(settings, names, await usageOf(session, names, caller, at), 0, at);
}
