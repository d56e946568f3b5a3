import type { PostingRule } from "../contract/shapes.js";

interface SpaceRules {
  rootRule: PostingRule;
  replyRule: PostingRule;
  allowWireReplyRules: boolean;
}

/**
 * States which wires of a space can receive votes. A wire can receive votes if its current posting rule
 * allows them (docs/specification/rules.md#votes).
 */
export interface VotableWires {
  roots: boolean;
  replies: boolean;
  /** Whether the reply rule of a parent wire, if it has one, overrides the reply rule of the space. */
  parentsDecide: boolean;
}

export function votableWires({ rootRule, replyRule, allowWireReplyRules }: SpaceRules): VotableWires {
  return { roots: rootRule.votable, replies: replyRule.votable, parentsDecide: allowWireReplyRules };
}

/** Returns whether handles can vote for a wire of a space. */
export function isVotable(
  wire: { is_root: number; parent_votable: number | null },
  space: SpaceRules,
): boolean {
  const { roots, replies, parentsDecide } = votableWires(space);
  if (wire.is_root) return roots;
  return parentsDecide && wire.parent_votable !== null ? wire.parent_votable === 1 : replies;
}
