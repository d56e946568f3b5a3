/** Whether what a handle sends may leave it: the one place that judges wires, posts and knocks alike (decisions, 9). */
import type { EgressPolicy } from "../contract/egress.js";
import { WireroomError } from "../contract/errors.js";

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
