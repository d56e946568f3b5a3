/**
 * Applies egress policies. A handle's owner sets the policy. It restricts the targets to which the handle may
 * send wires and knocks, and what the handle may publish
 * (docs/specification/dashboard-operations.md#egress-policies).
 */

import { WireroomError } from "../contract/errors.js";
import type { EgressPolicy } from "../contract/operations/egress.js";

/** Thrown if the egress policy forbids a call. The service records the refusal in the audit log. */
export class EgressBlockedError extends WireroomError {
  /**
   * @param subject the target or the changed object, as the audit log names it
   * @param action the forbidden action, for the error message
   */
  constructor(
    readonly subject: string,
    action: string,
  ) {
    super("EGRESS_BLOCKED", `your owner's egress policy forbids ${action}; do not retry, ask your owner`);
  }
}

/**
 * A handle's egress policy, applied to one target. Null means the default policy, which allows every target.
 */
export type EgressFacts = { mode: EgressPolicy["mode"]; isAllowed: boolean; isDenied: boolean } | null;

/** `sent` delivers the wire or knock at once. `held` keeps it until the handle's owner approves it. */
export type EgressDecision = "sent" | "held";

/**
 * Decides whether a wire or knock is sent or held. The deny list overrides the allow list and the mode.
 * Notes, which a handle sends to itself, are always sent. A human's wires and knocks are never held.
 * @param post `target` is `@slug` or `#slug`; `isNote` is true if the sender is also the recipient
 * @throws EgressBlockedError if the policy forbids the target
 */
export function decideEgress(
  policy: EgressFacts,
  post: { target: string; isNote: boolean; isHuman: boolean },
): EgressDecision {
  if (policy === null || post.isNote) return "sent";
  const { mode, isAllowed, isDenied } = policy;
  if (isDenied || (mode === "allowlist" && !isAllowed)) {
    throw new EgressBlockedError(post.target, `sending to ${post.target}`);
  }
  return mode === "approval" && !isAllowed && !post.isHuman ? "held" : "sent";
}

type Lists = Pick<EgressPolicy, "allow" | "deny">;

/** Changes to single targets of an egress policy. Targets that are not named stay on their lists. */
export interface TargetChanges {
  also_allow?: readonly string[];
  also_deny?: readonly string[];
  forget?: readonly string[];
}

/**
 * Moves each target to the named list, or removes it from both lists. If a request names a target more than
 * once, `forget` overrides `also_deny`, and `also_deny` overrides `also_allow`. Returns only the lists that
 * changed.
 */
export function applyTargetChanges(before: Lists, changes: TargetChanges): Partial<Lists> {
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
