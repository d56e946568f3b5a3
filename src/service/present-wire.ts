/** A stored wire as a response carries it: `vote_count` is there exactly while the wire is votable. */
import type { PostingRule, Wire } from "../contract/shapes.js";
import { isVotable } from "../domain/votes.js";
import { Verbatim } from "../kernel/verbatim.js";
import type { WireRow } from "../store/wires.js";

interface SpaceRules {
  rootRule: PostingRule;
  replyRule: PostingRule;
  allowWireReplyRules: boolean;
}

/** @param space rules of the wire's space; null for a DM, on which nobody votes */
export function presentWire(row: WireRow, space: SpaceRules | null): Verbatim<Wire> {
  if (!space || !isVotable(row, space)) return new Verbatim(row.doc);
  return new Verbatim(`${row.doc.slice(0, -1)},"vote_count":${row.vote_count}}`);
}

/** The rules of a space resource, as votes need them. */
export function rulesOf(space: {
  root_rule: PostingRule;
  reply_rule: PostingRule;
  allow_wire_reply_rules: boolean;
}): SpaceRules {
  return {
    rootRule: space.root_rule,
    replyRule: space.reply_rule,
    allowWireReplyRules: space.allow_wire_reply_rules,
  };
}
