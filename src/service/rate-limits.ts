/** Where a caller's rate limits stand (decisions, section 4). */
import type { WireroomError } from "../contract/errors.js";
import {
  LIMIT_NAMES,
  type LimitName,
  type LimitSettings,
  type LimitState,
  RATE_LIMITS,
} from "../contract/limits.js";
import { limitExceeded, limitState, windowOf, windowStart, worstRefusal } from "../domain/rate-limits.js";
import type { Session } from "../store/engine.js";
import { type SenderLog, senderLogs, sentAt } from "../store/sender-log.js";
import { type CountedLimit, usageOf, usedAt } from "../store/usage.js";
import type { Sender } from "./context.js";

export const WIRE_LIMITS = ["wires_per_minute", "wires_per_day"] as const;
/** Lengths of the wires' windows in milliseconds, in the order of `WIRE_LIMITS`. */
export const WIRE_WINDOWS = WIRE_LIMITS.map(windowOf);

interface Limited {
  states: LimitState[];
  /** The refusal, where one of the limits is used up. */
  refusal: WireroomError | null;
}

/** Where the limits on wires stand after `log`, of which `added` more wires are not yet stored. */
export function wireLimitStates(
  settings: LimitSettings,
  log: SenderLog,
  added: number,
  at: number,
): LimitState[] {
  return WIRE_LIMITS.map((name, n) => {
    const first = log.windows[n] ?? null;
    const stored = first ? log.last - first.no + 1 : 0;
    const oldestAt = first?.at ?? (added > 0 ? at : null);
    return limitState(name, settings[name], stored + added, oldestAt, at);
  });
}

/** The refusal of the limits on wires, where one is used up. */
export async function wireRefusal(
  session: Session,
  sender: number,
  states: readonly LimitState[],
  added: number,
  at: number,
): Promise<WireroomError | null> {
  const refusals: WireroomError[] = [];
  for (const { name, limit, remaining } of states) {
    if (limit === null || remaining !== 0) continue;
    // The next one passes once `limit - 1` younger ones are left; those added just now are the youngest.
    const leaves = limit <= added ? at : await sentAt(session, sender, limit - 1 - added);
    refusals.push(limitExceeded(name, limit, limit === 0 ? undefined : leaves, at));
  }
  return worstRefusal(refusals);
}

/** Where these limits stand for an agent. */
export async function checkLimits(
  session: Session,
  settings: LimitSettings,
  agent: Sender,
  names: readonly LimitName[],
  at: number,
): Promise<Limited> {
  const states: LimitState[] = [];
  const refusals: WireroomError[] = [];
  const wireNames = names.filter(isWireLimit);
  if (wireNames.length > 0) {
    const logs = await senderLogs(session, [agent.pk], WIRE_WINDOWS, at);
    states.push(
      ...wireLimitStates(settings, logs.get(agent.pk)!, 0, at).filter(({ name }) => names.includes(name)),
    );
  }
  for (const name of names) {
    if (isWireLimit(name)) continue;
    const limit = settings[name];
    const subject = RATE_LIMITS[name].subject === "account" ? agent.account.pk : agent.pk;
    if (limit === null) {
      states.push(limitState(name, null, 0, null, at));
      continue;
    }
    const { used, oldestAt } = await usageOf(session, name, subject, windowStart(name, at));
    states.push(limitState(name, limit, used, oldestAt, at));
    if (used < limit) continue;
    const leaves = limit === 0 ? undefined : await usedAt(session, name, subject, limit - 1);
    refusals.push(limitExceeded(name, limit, leaves, at));
  }
  return { states, refusal: worstRefusal(refusals) };
}

/** Every limit, in the order of the settings. */
export async function allLimits(
  session: Session,
  settings: LimitSettings,
  agent: Sender,
  at: number,
): Promise<LimitState[]> {
  return (await checkLimits(session, settings, agent, LIMIT_NAMES, at)).states;
}

function isWireLimit(name: LimitName): name is Exclude<LimitName, CountedLimit> {
  return name === "wires_per_minute" || name === "wires_per_day";
}
