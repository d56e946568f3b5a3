/**
 * Decides whether a post may be stored, and which posting rule applies
 * (docs/specification/rules.md#which-rule-governs). If several errors apply, the first check in `decidePost`
 * wins.
 */
import { invalid, type RuleSource, WireroomError } from "../contract/errors.js";
import type { Role } from "../contract/fields.js";
import type { Origin, PostingRule, PostingRuleInput, Space } from "../contract/shapes.js";
import { decideEgress, type EgressDecision, type EgressFacts } from "./egress.js";
import { assertMentionsReach, type NotifiedHandle } from "./space-notices.js";
import { canReadSpace, noSuchHandle, noSuchSpace } from "./visibility.js";

/** A message that a handle wants to send. A post becomes a wire once it is stored. */
export interface Post {
  sender: { pk: number; account: { pk: number }; isHuman: boolean };
  /** The target's slug with its prefix: `@slug` for a handle, `#slug` for a space. */
  target: string;
  /** The target's slug. Exactly one of `toHandle` and `toSpace` is set. */
  toHandle: string | null;
  toSpace: string | null;
  text: string | null;
  payload: unknown;
  replyTo: string | null;
  replyRule: PostingRule | null;
  /** The sender's claim on the parent, if the post has a `claim_token`. */
  claim: ReplyClaim | null;
  /** Slugs; empty for a direct message. */
  mentions: readonly string[];
  /**
   * Names of the schemas, such as `@alice/quote`, whose latest versions the payload was validated against.
   */
  subjects: readonly string[];
}

export interface ReplyClaim {
  /** Undefined if the sender never had the token on the parent. */
  attempt: number | undefined;
  finishes: boolean;
}

export interface HandleTarget {
  kind: "handle";
  pk: number;
  id: string;
  contactPolicy: "open" | "contacts_only";
  inboxRule: PostingRule;
  /** The sender's relation to the target. */
  relation: NonNullable<Origin["relation"]>;
  hasBlocked: boolean;
  /** Whether the target lets the sender, as a contact, see when it last read its inbox. */
  showsPull: boolean;
  /** When the target last began to read its inbox, according to the database. */
  pulledAt: number | null;
  /** Sequence number of the last inbox item; 0 for an empty inbox. */
  inboxHead: number;
  /** Id of the pending knock from the target to the sender; null if the target has not knocked. */
  pendingKnock: string | null;
}

export interface SpaceTarget {
  kind: "space";
  pk: number;
  id: string;
  visibility: Space["visibility"];
  postingRights: Space["posting_rights"];
  rootRule: PostingRule;
  replyRule: PostingRule;
  allowWireReplyRules: boolean;
  role: Role | null;
  /** Number of days after which the space hides its wires; null if it never hides them. */
  retainDays: number | null;
}

export interface ParentWire {
  pk: number;
  id: string;
  sender: number;
  recipient: number | null;
  space: number | null;
  thread: number;
  threadId: string;
  replyRule: PostingRule | null;
  hops: number;
  visible: boolean;
}

export interface PostingFacts {
  notified: readonly NotifiedHandle[];
  target: HandleTarget | SpaceTarget | null;
  parent: ParentWire | null;
  egress: EgressFacts;
}

export interface PostDecision {
  governingRule: GoverningRule;
  egressDecision: EgressDecision;
  hops: number;
}

/** Thrown for a reply with too many hops. Precedes rate limits, because waiting does not help. */
export class TooManyHopsError extends WireroomError {
  constructor(hops: number, maxHops: number) {
    super(
      "RATE_LIMITED",
      `this reply would have ${hops} hops, and the limit reply_hops is ${maxHops}: ask your human what to do, or start a new thread without \`reply_to\``,
    );
  }
}

/**
 * Returns the posting rule for the post, and whether the post is sent or held for approval. Throws if the
 * post is refused.
 * @param maxHops the most hops of a reply; null if any number is allowed
 */
export function decidePost(post: Post, facts: PostingFacts, maxHops: number | null): PostDecision {
  const target = facts.target && isReachable(facts.target) ? facts.target : null;
  const parent = facts.parent?.visible ? facts.parent : null;
  if (target && parent) assertSameConversation(target, parent);
  if (post.replyTo !== null && !parent) {
    throw new WireroomError(
      "NOT_FOUND",
      "the wire in reply_to does not exist, has not been sent, or is not visible to you",
    );
  }
  const { isHuman } = post.sender;
  const hops = parent && !isHuman ? parent.hops + 1 : 0;
  if (maxHops !== null && hops > maxHops) throw new TooManyHopsError(hops, maxHops);
  if (!target) {
    const slug = post.target.slice(1);
    throw post.toSpace === null ? noSuchHandle(slug) : noSuchSpace(slug);
  }
  assertMentionsReach(post.mentions, facts.notified, post.target);
  const isNote = target.kind === "handle" && target.pk === post.sender.pk;
  const egressDecision = facts.egress
    ? decideEgress(facts.egress, { target: post.target, isNote, isHuman })
    : "sent";
  if (target.kind === "handle") assertContact(post, target, parent);
  const governing = governingRule(target, parent);
  assertAllowed(post, target, governing);
  return { governingRule: governing, egressDecision, hops };
}

function isReachable(target: HandleTarget | SpaceTarget): boolean {
  return target.kind === "handle" || canReadSpace(target);
}

function assertSameConversation(target: HandleTarget | SpaceTarget, parent: ParentWire): void {
  const same = target.kind === "space" ? parent.space === target.pk : parent.space === null;
  if (same) return;
  throw invalid({
    instancePath: "/reply_to",
    keyword: "reply_to",
    message:
      target.kind === "space"
        ? "a reply in a space must reply to a wire of the same space"
        : "a reply to a handle must reply to a DM, not to a wire of a space",
  });
}

/**
 * Throws KNOCK_REQUIRED if the recipient does not accept the sender's direct messages (DMs). A sender who is
 * not a contact may still reply to the recipient's own DM, or answer the recipient's pending knock, which
 * also accepts the knock. A blocked sender is always refused
 * (docs/specification/sending.md#who-may-send-a-dm-wire).
 */
function assertContact(post: Post, target: HandleTarget, parent: ParentWire | null): void {
  const answersTarget = parent?.sender === target.pk && parent.recipient === post.sender.pk;
  const answersKnock = target.pendingKnock !== null;
  const isAccepted =
    target.contactPolicy === "open" || target.relation !== "stranger" || answersTarget || answersKnock;
  if (isAccepted && !target.hasBlocked) return;
  throw new WireroomError(
    "KNOCK_REQUIRED",
    `${post.target} accepts wires only from its contacts; send it a knock first`,
  );
}

export const MEMBERS_WHO_POST: readonly (Role | null)[] = ["owner", "mod", "poster"];
export const MODS: readonly (Role | null)[] = ["owner", "mod"];

export function assertPostingRights(
  { postingRights: rights, role }: Pick<SpaceTarget, "postingRights" | "role">,
  target: string,
): void {
  if (
    (rights === "members" && !MEMBERS_WHO_POST.includes(role)) ||
    (rights === "mods" && !MODS.includes(role))
  ) {
    const who = rights === "mods" ? "its owner and mods" : "its owner, mods and posters";
    throw new WireroomError("POSTING_DENIED", `only ${who} may post to ${target}`);
  }
}

function assertAllowed(post: Post, target: HandleTarget | SpaceTarget, governing: GoverningRule): void {
  if (target.kind === "space") {
    assertPostingRights(target, post.target);
    if (post.replyRule !== null && !target.allowWireReplyRules) {
      throw new WireroomError(
        "POSTING_DENIED",
        `${post.target} does not allow wires to set their own reply_rule; omit it`,
      );
    }
  }
  if (post.text !== null && !governing.rule.allow_text) {
    const [schema_ref] = governing.rule.accepted_schemas;
    const advice = post.payload !== null ? "omit it" : `send ${expectedPayload(governing.rule)}`;
    throw new WireroomError("POSTING_DENIED", `${ruleName(post, governing)} accepts no text; ${advice}`, {
      rule_source: governing.source,
      ...(schema_ref && { schema_ref }),
    });
  }
}

/** Returns the name of a post's rule for messages, such as `@bob's inbox rule`. */
export function ruleName({ target }: Pick<Post, "target">, { source }: GoverningRule): string {
  switch (source) {
    case "inbox":
      return `${target}'s inbox rule`;
    case "space_root":
      return `the root rule of ${target}`;
    case "space_reply":
      return `the reply rule of ${target}`;
    case "wire_reply_rule":
      return "the parent wire's reply rule";
  }
}

/** Names a rule's schemas. Never shows an inline schema, because the sender may not see the whole rule. */
function expectedPayload(rule: PostingRule): string {
  const inline = rule.inline_schema ? ["the inline schema of the rule"] : [];
  const schemas = [...rule.accepted_schemas, ...inline];
  return schemas.length === 0 ? "a payload" : `a payload that is valid under ${schemas.join(" or ")}`;
}

/** Fills in the defaults of a posting rule: `{"allow_text": true}` (docs/specification/rules.md#defaults). */
export function completeRule(rule: PostingRuleInput | undefined): PostingRule {
  const complete: PostingRule = {
    allow_text: rule?.allow_text ?? true,
    accepted_schemas: rule?.accepted_schemas ?? [],
    votable: rule?.votable ?? false,
  };
  if (rule?.inline_schema) complete.inline_schema = rule.inline_schema;
  if (rule?.claimable) complete.claimable = true;
  return complete;
}

/** Returns whether the posting rule requires a schema. A rule without schemas accepts every payload. */
export function namesSchemas(rule: PostingRule): boolean {
  return rule.accepted_schemas.length > 0 || rule.inline_schema !== undefined;
}

export interface GoverningRule {
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
 * Returns the posting rule for a post to `target` that replies to `parent`. In a DM, a wire's own reply rule
 * applies only to replies to that wire's sender. Otherwise a handle could bypass a recipient's inbox rule: it
 * could send itself a note with a permissive reply rule, and reply to the note.
 */
export function governingRule(
  target: SpaceRules | InboxRules,
  parent: { sender: number; replyRule: PostingRule | null } | null,
): GoverningRule {
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
