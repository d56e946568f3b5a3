/** Posting rules: which one governs a post, and whether the post may be stored. Refusals come in the order in which they win. */
import { invalid, type RuleSource, WireroomError } from "../contract/errors.js";
import type { Role } from "../contract/fields.js";
import type { PostingRule, PostingRuleInput, Space } from "../contract/shapes.js";
import { type EgressFacts, judgeEgress, type Passage } from "./egress.js";
import { canReadSpace, noSuchHandle, noSuchSpace } from "./visibility.js";

export interface Post {
  sender: { pk: number };
  /** Slug of the target, without its sign. */
  to: string;
  toSpace: boolean;
  /** The same with its sign: `@slug` or `#slug`. */
  target: string;
  hasText: boolean;
  isReply: boolean;
  carriesReplyRule: boolean;
}

interface HandleTarget {
  kind: "handle";
  pk: number;
  contactPolicy: "open" | "contacts_only";
  inboxRule: PostingRule;
  isContact: boolean;
  hasBlocked: boolean;
  /** A knock of the target's that waits for the sender's answer. */
  pendingKnock: number | null;
}

interface SpaceTarget {
  kind: "space";
  pk: number;
  visibility: Space["visibility"];
  postingRights: Space["posting_rights"];
  rootRule: PostingRule;
  replyRule: PostingRule;
  allowWireReplyRules: boolean;
  role: Role | null;
}

interface Parent {
  sender: number;
  recipient: number | null;
  space: number | null;
  replyRule: PostingRule | null;
  visible: boolean;
}

export interface Situation {
  target: HandleTarget | SpaceTarget | null;
  parent: Parent | null;
  /** The sender's egress policy towards the target. */
  egress: EgressFacts;
}

export interface PostDecision {
  /** The rule that governs the post. */
  governing: Governing;
  passage: Passage;
}

/** Returns the rule that governs the post, and whether it is sent or held. Throws the refusal that wins. */
export function decidePost(post: Post, situation: Situation): PostDecision {
  const target = situation.target && isReachable(situation.target) ? situation.target : null;
  const parent = situation.parent?.visible ? situation.parent : null;
  if (target && parent) assertSameConversation(target, parent);
  if (!target) throw post.toSpace ? noSuchSpace(post.to) : noSuchHandle(post.to);
  if (post.isReply && !parent) {
    throw new WireroomError(
      "NOT_FOUND",
      "the wire in reply_to does not exist, was not sent yet, or you cannot see it",
    );
  }
  const isNote = target.kind === "handle" && target.pk === post.sender.pk;
  const passage = situation.egress ? judgeEgress(situation.egress, { target: post.target, isNote }) : "sent";
  if (target.kind === "handle") assertContact(post, target, parent);
  const governing = governingRule(target, parent);
  assertAllowed(post, target, governing);
  return { governing, passage };
}

function isReachable(target: HandleTarget | SpaceTarget): boolean {
  return target.kind === "handle" || canReadSpace(target);
}

function assertSameConversation(target: HandleTarget | SpaceTarget, parent: Parent): void {
  const same = target.kind === "space" ? parent.space === target.pk : parent.space === null;
  if (same) return;
  throw invalid({
    instancePath: "/reply_to",
    keyword: "reply_to",
    message:
      target.kind === "space"
        ? "a reply in a space must answer a wire of the same space"
        : "a reply to a handle must answer a DM wire, not one of a space",
  });
}

/**
 * A direct reply to a DM that the recipient itself sent to the caller needs no contact, nor does the DM that answers its
 * knock (decisions, 6: it makes both contacts); a block always holds.
 */
function assertContact(post: Post, target: HandleTarget, parent: Parent | null): void {
  const answersTarget = parent?.sender === target.pk && parent.recipient === post.sender.pk;
  const answersKnock = target.pendingKnock !== null;
  const welcome = target.contactPolicy === "open" || target.isContact || answersTarget || answersKnock;
  if (welcome && !target.hasBlocked) return;
  throw new WireroomError(
    "KNOCK_REQUIRED",
    `@${post.to} takes wires from its contacts only; send it a knock first`,
  );
}

const MEMBERS: readonly (Role | null)[] = ["owner", "mod", "poster"];
const MODS: readonly (Role | null)[] = ["owner", "mod"];

function assertAllowed(post: Post, target: HandleTarget | SpaceTarget, governing: Governing): void {
  if (target.kind === "space") {
    const { postingRights: rights, role } = target;
    if ((rights === "members" && !MEMBERS.includes(role)) || (rights === "mods" && !MODS.includes(role))) {
      const who = rights === "mods" ? "its owner and mods" : "its owner, mods and posters";
      throw new WireroomError("POSTING_DENIED", `only ${who} may post to #${post.to}`);
    }
    if (post.carriesReplyRule && !target.allowWireReplyRules) {
      throw new WireroomError(
        "POSTING_DENIED",
        `#${post.to} does not allow wires to carry their own reply_rule`,
      );
    }
  }
  if (post.hasText && !governing.rule.allow_text) {
    throw new WireroomError(
      "POSTING_DENIED",
      "the governing rule accepts no text; send a payload that is valid under one of its schemas",
      { rule_source: governing.source },
    );
  }
}

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
