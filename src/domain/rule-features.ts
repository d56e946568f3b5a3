/**
 * The features that posting rules allow for the wires that they govern: votes and claims
 * (docs/specification/rules.md#votes, docs/specification/rules.md#claims).
 */
import type { PostingRule } from "../contract/shapes.js";

export type Feature = "votable" | "claimable";

/** Each reply stores what its parent's reply rule allows, as a sum of these bits. */
const BITS: Readonly<Record<Feature, number>> = { votable: 1, claimable: 2 };

interface SpaceRules {
  rootRule: PostingRule;
  replyRule: PostingRule;
  allowWireReplyRules: boolean;
}

/** Whether a feature is allowed for a space's root wires and replies. */
export interface AllowedWires {
  roots: boolean;
  replies: boolean;
  /** Whether a parent wire's own reply rule, if set, overrides the space's reply rule. */
  parentsDecide: boolean;
}

export function allowedWires(feature: Feature, space: SpaceRules): AllowedWires {
  const { rootRule, replyRule, allowWireReplyRules } = space;
  return {
    roots: rootRule[feature] === true,
    replies: replyRule[feature] === true,
    parentsDecide: allowWireReplyRules,
  };
}

export function isAllowed(
  feature: Feature,
  wire: { is_root: number; parent_votable: number | null },
  space: SpaceRules,
): boolean {
  const { roots, replies, parentsDecide } = allowedWires(feature, space);
  if (wire.is_root) return roots;
  if (!parentsDecide || wire.parent_votable === null) return replies;
  return (wire.parent_votable & BITS[feature]) !== 0;
}

/** Returns the sum of bits that is stored with the replies to a wire. */
export function featureBits(replyRule: PostingRule): number {
  return (replyRule.votable ? BITS.votable : 0) + (replyRule.claimable ? BITS.claimable : 0);
}
