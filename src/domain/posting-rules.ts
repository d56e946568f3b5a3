/** Posting rules: what one says, and which one governs (specification, 2.1; decisions, section 3). */
import type { RuleSource } from "../contract/errors.js";
import type { PostingRule, PostingRuleInput } from "../contract/shapes.js";

/** A rule as returned, from one as given; a rule that is not given is `{"allow_text": true}`. */
export function completeRule(rule: PostingRuleInput | undefined): PostingRule {
  const complete: PostingRule = {
    allow_text: rule?.allow_text ?? true,
    accepted_schemas: rule?.accepted_schemas ?? [],
    votable: rule?.votable ?? false,
  };
  if (rule?.inline_schema) complete.inline_schema = rule.inline_schema;
  return complete;
}

/** Whether a payload must be valid under a schema at all: a rule that names none accepts any. */
export function namesSchemas(rule: PostingRule): boolean {
  return rule.accepted_schemas.length > 0 || rule.inline_schema !== undefined;
}

export interface Governing {
  rule: PostingRule;
  source: RuleSource;
}

interface SpaceRules {
  kind: "space";
  rootRule: PostingRule;
  replyRule: PostingRule;
  allowWireReplyRules: boolean;
}

interface InboxRules {
  kind: "handle";
  pk: number;
  inboxRule: PostingRule;
}

/**
 * The rule that governs a post, by where it goes and what it replies to. In a DM the reply rule of a wire opens the inbox of
 * its own sender alone: else anyone could reply to a note to itself and so get around the inbox rule of a third.
 */
export function governingRule(
  target: SpaceRules | InboxRules,
  parent: { sender: number; replyRule: PostingRule | null } | null,
): Governing {
  const own = parent?.replyRule ?? null;
  if (target.kind === "handle") {
    return own && parent?.sender === target.pk
      ? { rule: own, source: "wire_reply_rule" }
      : { rule: target.inboxRule, source: "inbox" };
  }
  if (!parent) return { rule: target.rootRule, source: "space_root" };
  if (own && target.allowWireReplyRules) return { rule: own, source: "wire_reply_rule" };
  return { rule: target.replyRule, source: "space_reply" };
}
