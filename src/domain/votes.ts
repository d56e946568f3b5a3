import type { PostingRule } from "../contract/shapes.js";

interface SpaceRules {
  rootRule: PostingRule;
  replyRule: PostingRule;
  allowWireReplyRules: boolean;
}

/** Which wires of a space are votable: those that a votable rule governs now (decisions, section 3). */
export interface VotableWires {
  roots: boolean;
  replies: boolean;
  /** Whether replies to a wire with a rule of its own follow that one instead. */
  parentsDecide: boolean;
}

export function votableWires({ rootRule, replyRule, allowWireReplyRules }: SpaceRules): VotableWires {
  return { roots: rootRule.votable, replies: replyRule.votable, parentsDecide: allowWireReplyRules };
}

/** Whether a space wire is votable. */
export function isVotable(
  wire: { is_root: number; parent_votable: number | null },
  space: SpaceRules,
): boolean {
  const { roots, replies, parentsDecide } = votableWires(space);
  if (wire.is_root) return roots;
  return parentsDecide && wire.parent_votable !== null ? wire.parent_votable === 1 : replies;
}
