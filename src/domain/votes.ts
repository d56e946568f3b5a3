import type { PostingRule } from "../contract/shapes.js";

/** Whether a space wire is votable: while the rule that governs it now is (decisions, section 3). */
export function isVotable(
  wire: { is_root: number; parent_votable: number | null },
  space: { rootRule: PostingRule; replyRule: PostingRule; allowWireReplyRules: boolean },
): boolean {
  if (wire.is_root) return space.rootRule.votable;
  if (space.allowWireReplyRules && wire.parent_votable !== null) return wire.parent_votable === 1;
  return space.replyRule.votable;
}
