/** Whether what a handle sends may leave it: the one place that judges wires, posts and knocks alike (decisions, 9). */

import { WireroomError } from "../contract/errors.js";
import type { EgressPolicy } from "../contract/operations/egress.js";

/** A refusal by the policy, which the audit log is told of. */
export class EgressBlocked extends WireroomError {
  /** @param target `@slug` or `#slug` */
  constructor(readonly target: string) {
    super(
      "EGRESS_BLOCKED",
      `your owner's egress policy forbids sending to ${target}; do not retry, ask your owner`,
    );
  }
}

/** A handle's policy towards one target; null for the default, which lets everything pass. */
export type EgressFacts = { mode: EgressPolicy["mode"]; isAllowed: boolean; isDenied: boolean } | null;

/** How something passes: it is sent, or held until its human approves it. */
export type Passage = "sent" | "held";

/**
 * Throws EGRESS_BLOCKED where the policy forbids the target; `deny` wins over everything else.
 * @param post target: `@slug` or `#slug`; isNote: to oneself, which leaves nothing
 */
export function judgeEgress(policy: EgressFacts, post: { target: string; isNote: boolean }): Passage {
  if (policy === null || post.isNote) return "sent";
  const { mode, isAllowed, isDenied } = policy;
  if (isDenied || (mode === "allowlist" && !isAllowed)) throw new EgressBlocked(post.target);
  return mode === "approval" && !isAllowed ? "held" : "sent";
}

type Lists = Pick<EgressPolicy, "allow" | "deny">;

/** What shall become of single targets, whatever else is on the lists. */
export interface TargetChanges {
  also_allow?: readonly string[];
  also_deny?: readonly string[];
  forget?: readonly string[];
}

/**
 * Puts each target on the list that is named, or on none. Of a target that is named more than once, `forget` wins over
 * `also_deny`, and that over `also_allow`. Gives the lists that differ from those before.
 */
export function withTargets(before: Lists, changes: TargetChanges): Partial<Lists> {
  const lists = { allow: new Set(before.allow), deny: new Set(before.deny) };
  const put = (targets: readonly string[] = [], list?: keyof Lists) => {
    for (const target of targets) {
      lists.allow.delete(target);
      lists.deny.delete(target);
      if (list) lists[list].add(target);
    }
  };
  put(changes.also_allow, "allow");
  put(changes.also_deny, "deny");
  put(changes.forget);
  const differs = (list: keyof Lists) =>
    lists[list].size !== before[list].length || before[list].some((target) => !lists[list].has(target));
  return {
    ...(differs("allow") && { allow: [...lists.allow] }),
    ...(differs("deny") && { deny: [...lists.deny] }),
  };
}
