import type { PostingRule } from "../contract/shapes.js";

interface SpaceRules {
  rootRule: PostingRule;
  replyRule: PostingRule;
  allowWireReplyRules: boolean;
}

/**
 * Whether a space's root wires and replies can receive votes, according to the space's posting rules
 * (docs/specification/rules.md#votes).
 */
export interface VotableWires {
  roots: boolean;
  replies: boolean;
  /** Whether a parent wire's own reply rule, if set, overrides the space's reply rule. */
  parentsDecide: boolean;
}

export function votableWires({ rootRule, replyRule, allowWireReplyRules }: SpaceRules): VotableWires {
  return { roots: rootRule.votable, replies: replyRule.votable, parentsDecide: allowWireReplyRules };
}

export function isVotable(
  wire: { is_root: number; parent_votable: number | null },
  space: SpaceRules,
): boolean {
  const { roots, replies, parentsDecide } = votableWires(space);
  if (wire.is_root) return roots;
  return parentsDecide && wire.parent_votable !== null ? wire.parent_votable === 1 : replies;
}
