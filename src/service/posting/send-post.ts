/**
 * Loads the data about posts, accepts or refuses each post, and stores the accepted posts. Works for new
 * posts (POST /wires) and for held posts that a human has approved.
 */
import type { Origin, Wire } from "../../contract/shapes.js";
import type { EgressDecision } from "../../domain/egress.js";
import { decidePost, type GoverningRule, namesSchemas } from "../../domain/posting.js";
import { featureBits } from "../../domain/rule-features.js";
import { spaceNotices } from "../../domain/space-notices.js";
import { isoTime } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { APPROVAL_LIFETIME_MS, addApprovals } from "../../store/approvals/approvals.js";
import type { Transaction } from "../../store/engine/engine.js";
import type { RoundTrip } from "../../store/engine/selects.js";
import { setKnockStatus } from "../../store/knocks.js";
import { enqueueMentions } from "../../store/limits/mentions.js";
import { loadPostFacts, type StoredFacts } from "../../store/posting/facts.js";
import { insertWires, type NewWire } from "../../store/posting/insert.js";
import { addContact } from "../../store/relations.js";
import { finishClaim } from "../../store/wires/claims.js";
import { enqueueWireTraces } from "../../store/wires/traces.js";
import { toDoc } from "../../store/wires/wire-json.js";
import { invalidToken } from "../claims/claims.js";
import { auditedErrorAfter, auditedTimes, logAuditEvents } from "../pipeline/audit.js";
import type { Locks } from "../pipeline/transaction-locks.js";
import type { PreparedPost } from "./post.js";
import { isVerdictCurrent, UnvalidatedPost } from "./post.js";

export interface PostFacts extends StoredFacts {
  /** Times of the sender's audited actions. Loaded only if the post may accept a knock, which is audited. */
  audited: readonly number[];
}

/** The effect of an accepted post: it stores a wire, or holds the wire for approval. */
export interface PostEffect {
  post: PreparedPost;
  governing: GoverningRule;
  status: EgressDecision;
  wire: NewWire;
  accepts: { knock: string; from: number } | undefined;
  /** Data about a direct message's recipient that the sender may see. */
  recipient: { last_pull_at: string | null } | undefined;
  /** Primary key of the parent whose claim the reply finishes. */
  finishes: number | undefined;
  /** The number of mentions that count against the sender's limit. */
  mentions: number;
}

/** The id, number and time that a held wire received when it was submitted. */
export interface Submission {
  id: string;
  senderNo: number;
  at: number;
}

/**
 * Returns the rows to lock for a post: its sender, recipient, notified handles and space. Each of these rows
 * numbers its wires or inbox items. While a row is locked, no other transaction can take a number, so numbers
 * increase in commit order. Cursors rely on this order.
 */
export function postLocks({ sender, toHandle, toSpace, mentions, replyTo, claim }: PreparedPost): Locks {
  if (toSpace === null) return { handles: toHandle === null ? [sender.slug] : [sender.slug, toHandle] };
  return {
    handles: [sender.slug, ...mentions],
    sendersOf: replyTo === null ? [] : [replyTo],
    spaces: [toSpace],
    wires: claim && replyTo !== null ? [replyTo] : [],
  };
}

export async function loadFacts(
  trip: RoundTrip,
  posts: readonly PreparedPost[],
  at: number,
): Promise<PostFacts[]> {
  const found = await loadPostFacts(trip, posts, posts[0]!.ctx.store.floors, at);
  const facts: PostFacts[] = [];
  for (const [n, post] of posts.entries()) {
    const { target } = found[n]!;
    const mayAccept = target?.kind === "handle" && target.pendingKnock !== null;
    facts.push({ ...found[n]!, audited: mayAccept ? await auditedTimes(post.ctx, trip.session, at) : [] });
  }
  return facts;
}

/**
 * Accepts or refuses a post. Throws the error for the client if it refuses the post. Throws `UnvalidatedPost`
 * if the payload must be validated first.
 * @param earlier the effects of posts that this transaction has accepted but not yet stored
 * @param submission set if the post was held and then approved
 */
export function decide(
  post: PreparedPost,
  facts: PostFacts,
  earlier: readonly PostEffect[],
  at: number,
  submission?: Submission,
): PostEffect {
  const maxHops = submission ? null : post.ctx.limits.reply_hops;
  const { governingRule: governing, egressDecision, hops } = decidePost(post, facts, maxHops);
  // The claim of a held reply was checked and finished when the reply was submitted.
  const finishes = submission ? undefined : finishedClaim(post, facts, earlier);
  const schemaRef = schemaRefOf(post, governing, facts);
  const status = submission ? "sent" : egressDecision;
  const accepts = status === "held" ? undefined : acceptedKnock(facts, earlier);
  if (accepts && !submission) {
    const unlogged = earlier.filter(
      (effect) => effect.accepts && effect.post.sender.pk === post.sender.pk,
    ).length;
    const error = auditedErrorAfter(post.ctx, facts.audited, "RATE_LIMITED", unlogged, at);
    if (error) throw error;
  }
  // Never use a time before the sender's last wire, even if the clock was set back, because rate limits need
  // ordered times.
  const sentAt = Math.max(at, facts.log.lastAt);
  const numbered = earlier.filter(({ wire }) => wire.sender === post.sender.pk).length;
  const number = submission ?? { id: newId(), senderNo: facts.log.last + numbered + 1, at: sentAt };
  const origin: Origin = {
    sent_by: post.sender.isHuman ? "human" : "agent",
    approved: submission !== undefined,
    relation: relationOf(facts, status),
  };
  const recipient = recipientFor(post, facts, origin.relation);
  const wire = newWire(post, facts, { schemaRef, origin, hops }, number, sentAt);
  if (status === "sent" && facts.target?.kind === "handle") {
    wire.inbox_seq = nextInboxSeq(facts.target, earlier);
  } else if (status === "sent") {
    wire.notices = spaceNotices(post.sender.pk, facts.notified).map((handle) => ({
      handle: handle.pk,
      seq: nextInboxSeq(handle, earlier),
      reason: handle.reason,
    }));
  }
  const mentions = submission ? 0 : post.mentions.length;
  return { post, governing, status, wire, accepts, recipient, finishes, mentions };
}

/** Returns the parent whose claim the reply finishes. Throws FORBIDDEN if the sender has lost the claim. */
function finishedClaim(
  { sender, claim: claimed }: PreparedPost,
  { parent, claim }: PostFacts,
  earlier: readonly PostEffect[],
): number | undefined {
  if (!claimed || !parent) return undefined;
  const isLast = claim?.attempt === claimed.attempt && claim?.holder === sender.pk && claim.until > 0;
  const isFinished = claim?.done === 1 || earlier.some(({ finishes }) => finishes === parent.pk);
  if (!isLast || isFinished) throw invalidToken();
  return claimed.finishes ? parent.pk : undefined;
}

function nextInboxSeq(
  { pk, inboxHead }: { pk: number; inboxHead: number },
  earlier: readonly PostEffect[],
): number {
  const added = earlier.filter(
    ({ status, wire }) =>
      status === "sent" && (wire.recipient === pk || wire.notices.some(({ handle }) => handle === pk)),
  );
  return inboxHead + added.length + 1;
}

/**
 * Returns the ref of the schema that accepted the payload, or null if no schema applies. Throws
 * SCHEMA_VALIDATION_FAILED if no schema accepted the payload.
 */
function schemaRefOf(
  { payload, verdict }: PreparedPost,
  governing: GoverningRule,
  { versions }: PostFacts,
): string | null {
  if (payload === null || !namesSchemas(governing.rule)) return null;
  if (!verdict || !isVerdictCurrent(verdict, governing, versions)) throw new UnvalidatedPost(governing);
  if (verdict.refusal) throw verdict.refusal;
  return verdict.schemaRef;
}

/** Returns the knock that a direct message accepts, unless an earlier post already accepts that knock. */
function acceptedKnock({ target }: PostFacts, earlier: readonly PostEffect[]): PostEffect["accepts"] {
  if (target?.kind !== "handle" || target.pendingKnock === null) return undefined;
  const { pendingKnock: knock, pk: from } = target;
  return earlier.some(({ accepts }) => accepts?.knock === knock) ? undefined : { knock, from };
}

/** Returns the sender's relation to the recipient, who becomes a contact if the wire accepts its knock. */
function relationOf({ target }: PostFacts, status: EgressDecision): Origin["relation"] {
  if (target?.kind !== "handle") return null;
  const { relation, pendingKnock } = target;
  return relation === "stranger" && pendingKnock !== null && status === "sent" ? "contact" : relation;
}

function recipientFor(
  { ctx }: PreparedPost,
  { target }: PostFacts,
  relation: Origin["relation"],
): PostEffect["recipient"] {
  if (target?.kind !== "handle" || !target.showsPull) return undefined;
  if (relation !== "contact" && relation !== "same_account") return undefined;
  return { last_pull_at: ctx.pulls.lastPullAt(target.pk, target.pulledAt) };
}

function newWire(
  { sender, toHandle, toSpace, text, payload, replyRule, mentions, terms }: PreparedPost,
  { parent, target }: PostFacts,
  { schemaRef, origin, hops }: { schemaRef: string | null; origin: Origin; hops: number },
  { id, senderNo, at }: Submission,
  sentAt: number,
): NewWire {
  const resource: Wire = {
    id,
    sender_id: sender.id,
    recipient_id: target?.kind === "handle" ? target.id : null,
    space_id: target?.kind === "space" ? target.id : null,
    sender: sender.slug,
    recipient: toHandle,
    space: toSpace,
    text_body: text,
    payload,
    schema_ref: schemaRef,
    reply_to: parent?.id ?? null,
    thread_id: parent?.threadId ?? id,
    reply_rule: replyRule,
    tombstone: null,
    created_at: isoTime(sentAt),
    origin,
    hops,
    mentions: [...mentions],
  };
  return {
    id,
    sender: sender.pk,
    sender_no: senderNo,
    recipient: target?.kind === "handle" ? target.pk : null,
    space: target?.kind === "space" ? target.pk : null,
    thread: parent?.thread ?? null,
    reply_to: parent?.pk ?? null,
    parent_votable: parent?.replyRule ? featureBits(parent.replyRule) : null,
    reply_rule: replyRule && JSON.stringify(replyRule),
    created_at: at,
    doc: toDoc(resource),
    inbox_seq: null,
    notices: [],
    terms,
  };
}

export async function storeEffects(
  tx: Transaction,
  effects: readonly PostEffect[],
  at: number,
): Promise<void> {
  for (const { post, accepts } of effects) if (accepts) await acceptKnock(tx, post, accepts, at);
  for (const { finishes, status, wire } of effects) {
    if (finishes === undefined) continue;
    const held = { id: wire.id, until: wire.created_at + APPROVAL_LIFETIME_MS };
    await finishClaim(tx, finishes, status === "held" ? held : undefined);
  }
  const sent = effects.filter(({ status }) => status === "sent");
  await insertWires(
    tx,
    sent.map(({ wire }) => wire),
  );
  const traces = sent.flatMap(({ post: { traceparent }, wire: { id } }) =>
    traceparent === undefined ? [] : [{ id, traceparent }],
  );
  if (traces.length > 0) enqueueWireTraces(tx, traces, at);
  enqueueMentions(
    tx,
    effects.flatMap(({ mentions, wire }) => Array<NewWire>(mentions).fill(wire)),
  );
  const held = effects
    .filter(({ status }) => status === "held")
    .map(({ post: { sender, target }, wire }) => ({
      sender: { pk: sender.pk, account: sender.account.pk },
      kind: "wire" as const,
      target,
      ref: wire.id,
      doc: wire.doc,
      senderNo: wire.sender_no,
      createdAt: wire.created_at,
    }));
  if (held.length > 0) await addApprovals(tx, held);
}

/** Accepts a handle's pending knock, because the post's sender has sent that handle a direct message. */
async function acceptKnock(
  tx: Transaction,
  { ctx, sender, target }: PreparedPost,
  { knock, from }: NonNullable<PostEffect["accepts"]>,
  at: number,
): Promise<void> {
  if (!(await setKnockStatus(tx, knock, "accepted", at))) return;
  await addContact(tx, sender.pk, from, at);
  logAuditEvents(ctx, tx, {
    account: sender.account.pk,
    handle: sender.pk,
    action: "knock.answered",
    subject: `knock:${knock}`,
    detail: `from ${target}: accepted`,
  });
}
