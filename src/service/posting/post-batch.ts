/**
 * Accepts or refuses the posts of one transaction, and stores the accepted ones: new posts of POST /wires,
 * and held posts that a human has approved.
 */
import type { EncodableOutput } from "../../contract/index.js";
import type { Wire } from "../../contract/shapes.js";
import type { EgressDecision } from "../../domain/egress.js";
import { decidePost, type GoverningRule, namesSchemas } from "../../domain/posting.js";
import { isoTime } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { wireUri } from "../../kernel/names.js";
import { addApprovals, type NewApproval } from "../../store/approvals/approvals.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import type { Queries } from "../../store/engine/selects.js";
import { setKnockStatus } from "../../store/knocks.js";
import { addContact } from "../../store/relations.js";
import { RefPinner, resolveRefs } from "../../store/schemas.js";
import { insertWires, type NewWire } from "../../store/wires/insert.js";
import { type BatchFacts, loadPostFacts, type PostFacts, postQueries } from "../../store/wires/post-facts.js";
import { enqueueWireTraces, type WireTrace } from "../../store/wires/traces.js";
import { toDoc } from "../../store/wires/wire-json.js";
import { findAuditedError, logAuditEvents } from "../pipeline/audit.js";
import type { Sender } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import type { Decision, Loaded, Locks } from "../pipeline/handler.js";
import type { Draft } from "./draft.js";
import { isVerdictCurrent, UnvalidatedPost } from "./payload-verdict.js";

/**
 * Returns the rows that a post locks: its sender, its recipient and its space. Wires are numbered
 * per sender, inbox and space. The locks ensure that these numbers grow in commit order. Cursors rely on that
 * order.
 */
export function postLocks({ query: { sender, toHandle, toSpace } }: Draft): Locks {
  return {
    handles: toHandle === null ? [sender.slug] : [sender.slug, toHandle],
    spaces: toSpace === null ? [] : [toSpace],
  };
}

/** Returns the queries that load targets, parent wires and posting rules for all posts of a transaction. */
export function postBatchQueries(session: Session, drafts: readonly Draft[], at: number): Queries {
  return postQueries(
    session,
    drafts.map(({ query }) => query),
    at,
  );
}

/**
 * Id, number and time of a wire. A wire that was held for approval keeps the values from its
 * submission.
 */
export interface WireSlot {
  id: string;
  /** Sequence number of the wire among all wires of its sender. */
  senderNo: number;
  /** Time of submission, in milliseconds since 1970. Rate limits count the wire at this time. */
  countedAt: number;
}

interface AcceptedKnock {
  ctx: Context<Sender>;
  /** Id of the knock. */
  knock: string;
  /** Handle that sent the knock. */
  from: number;
}

/**
 * Decides whether posts are accepted, and stores the accepted ones. Each decision includes the effects of
 * earlier posts in the batch.
 */
export class PostBatch {
  private readonly wires: NewWire[] = [];
  private readonly traces: WireTrace[] = [];
  private readonly held: NewApproval[] = [];
  private readonly knocks: AcceptedKnock[] = [];
  /** Number of wires that this batch has sent or held, by primary key of the sender. */
  private readonly sent = new Map<number, number>();
  /** Last inbox number that this batch has assigned, by primary key of the recipient. */
  private readonly inboxHeads = new Map<number, number>();
  /** Resolves schema refs to versions. Undefined until a payload must be validated under schemas. */
  private pins: RefPinner | undefined;

  private constructor(
    private readonly tx: Transaction,
    private readonly facts: BatchFacts,
    private readonly logs: Loaded["logs"],
    private readonly at: number,
  ) {}

  /**
   * Starts a batch with the rows that the transaction has loaded.
   * @param loaded the rows of `postBatchQueries`, and the wire counts of the senders
   */
  static async begin(
    tx: Transaction,
    drafts: readonly Draft[],
    { rows, logs, at }: Loaded,
  ): Promise<PostBatch> {
    const queries = drafts.map(({ query }) => query);
    const hasPolicy = ({ sender }: { sender: { pk: number } }) => logs.get(sender.pk)!.hasPolicy;
    const { floors } = drafts[0]!.ctx.store;
    const facts = await loadPostFacts(tx, queries, rows as never, floors, hasPolicy);
    return new PostBatch(tx, facts, logs, at);
  }

  /**
   * Decides whether post `n` is accepted. Throws the error for the client, or `UnvalidatedPost` if the
   * payload must be validated first.
   */
  async decide(draft: Draft, n: number): Promise<Decision<"wires.send">> {
    const { ctx, post } = draft;
    const facts = this.facts.posts[n]!;
    // Removes the predicted rule. Only `accept` saves it again, so that a sender has no prediction after a
    // refused post.
    if (draft.verdict) ctx.predictedRules.invalidate(post);
    const { governingRule: governing, egressDecision } = decidePost(post, facts);
    const schemaRef = await this.schemaRefOf(draft, governing);
    if (egressDecision !== "held") await this.assertMayAcceptKnock(ctx, facts);
    const wire = newWire(draft, facts, schemaRef, this.nextSlot(ctx.caller.pk), this.sentAt(ctx.caller.pk));
    const answer: EncodableOutput<"wires.send"> = {
      id: wire.id,
      uri: wireUri(ctx.baseUrl, wire.id),
      thread_id: facts.parent?.threadId ?? wire.id,
      ...(egressDecision === "held" ? { status: egressDecision } : this.acceptedKnock(facts)),
    };
    return { answer, accept: () => this.accept(draft, facts, governing, egressDecision, wire) };
  }

  /**
   * Sends post `n` after a human has approved it. The wire gets the id and numbers in `slot`.
   * Throws an error if a current rule refuses the post, or `UnvalidatedPost` if its payload must be validated
   * first.
   */
  async release(draft: Draft, n: number, slot: WireSlot): Promise<void> {
    const facts = this.facts.posts[n]!;
    const { governingRule: governing } = decidePost(draft.post, facts);
    const schemaRef = await this.schemaRefOf(draft, governing);
    this.deliver(draft, facts, newWire(draft, facts, schemaRef, slot, this.sentAt(draft.ctx.caller.pk)));
  }

  async store(): Promise<void> {
    for (const knock of this.knocks) await this.acceptKnock(knock);
    await insertWires(this.tx, this.wires, this.facts.nextPk);
    enqueueWireTraces(this.tx, this.traces, this.at);
    if (this.held.length > 0) await addApprovals(this.tx, this.held);
  }

  private nextSlot(sender: number): WireSlot {
    const senderNo = this.logs.get(sender)!.last + (this.sent.get(sender) ?? 0) + 1;
    return { id: newId(), senderNo, countedAt: this.sentAt(sender) };
  }

  /**
   * Returns the time of a new wire. It is never before the sender's last wire, even if the clock
   * was set back, because rate-limit windows need times in order.
   */
  private sentAt(sender: number): number {
    return Math.max(this.at, this.logs.get(sender)!.lastAt);
  }

  /**
   * Returns the ref of the schema that accepted the payload, or null if no schema applies. Throws
   * SCHEMA_VALIDATION_FAILED if no schema accepted it.
   */
  private async schemaRefOf({ payload, verdict }: Draft, governing: GoverningRule): Promise<string | null> {
    if (payload === null || !namesSchemas(governing.rule)) return null;
    this.pins ??= new RefPinner((refs) => resolveRefs(this.tx, refs), this.facts.latest);
    if (!verdict || !(await isVerdictCurrent(verdict, governing, this.pins)))
      throw new UnvalidatedPost(governing);
    if (verdict.refusal) throw verdict.refusal;
    return verdict.schemaRef;
  }

  private accept(
    draft: Draft,
    facts: PostFacts,
    governing: GoverningRule,
    egressDecision: EgressDecision,
    wire: NewWire,
  ): void {
    if (draft.verdict) draft.ctx.predictedRules.save(draft.post, governing);
    this.sent.set(wire.sender, (this.sent.get(wire.sender) ?? 0) + 1);
    if (egressDecision === "held") this.held.push(heldWire(draft, wire));
    else this.deliver(draft, facts, wire);
  }

  private deliver({ ctx, traceparent }: Draft, { target }: PostFacts, wire: NewWire): void {
    if (target?.kind === "handle") {
      wire.inboxSeq = (this.inboxHeads.get(target.pk) ?? target.inboxHead) + 1;
      this.inboxHeads.set(target.pk, wire.inboxSeq);
      if (target.pendingKnock !== null) {
        this.knocks.push({ ctx, knock: target.pendingKnock, from: target.pk });
      }
    }
    this.wires.push(wire);
    if (traceparent !== undefined) this.traces.push({ id: wire.id, traceparent });
  }

  /**
   * Returns the response field `accepted_knock`: the id of the knock that this direct
   * message accepts.
   */
  private acceptedKnock({ target }: PostFacts): { accepted_knock?: string } {
    if (target?.kind !== "handle" || target.pendingKnock === null) return {};
    const { pendingKnock } = target;
    // Omits the field if an earlier post of this batch has already accepted the knock.
    if (this.knocks.some(({ knock }) => knock === pendingKnock)) return {};
    return { accepted_knock: pendingKnock };
  }

  /**
   * Throws 429 if the post accepts a knock, but its sender has too many audited actions.
   */
  private async assertMayAcceptKnock(ctx: Context<Sender>, facts: PostFacts): Promise<void> {
    if (this.acceptedKnock(facts).accepted_knock === undefined) return;
    const unlogged = this.knocks.filter((knock) => knock.ctx.caller.pk === ctx.caller.pk).length;
    const error = await findAuditedError(ctx, this.tx, "RATE_LIMITED", unlogged);
    if (error) throw error;
  }

  /**
   * Accepts the pending knock of a handle, because the caller has sent a direct message to
   * that handle.
   */
  private async acceptKnock({ ctx, knock, from }: AcceptedKnock): Promise<void> {
    // Skips a knock that an earlier post of this batch has already accepted.
    if (!(await setKnockStatus(this.tx, knock, "accepted", this.at))) return;
    const { pk, account } = ctx.caller;
    await addContact(this.tx, pk, from, this.at);
    const event = {
      account: account.pk,
      handle: pk,
      action: "knock.answered",
      subject: `knock:${knock}`,
    } as const;
    logAuditEvents(ctx, this.tx, event);
  }
}

function newWire(
  draft: Draft,
  { parent, target }: PostFacts,
  schemaRef: string | null,
  slot: WireSlot,
  sentAt: number,
): NewWire {
  const { id } = slot;
  const resource: Wire = {
    id,
    sender_id: draft.ctx.caller.id,
    recipient_id: target?.kind === "handle" ? target.id : null,
    space_id: target?.kind === "space" ? target.id : null,
    sender: draft.ctx.caller.slug,
    recipient: draft.query.toHandle,
    space: draft.query.toSpace,
    text_body: draft.text,
    payload: draft.payload,
    schema_ref: schemaRef,
    reply_to: parent?.id ?? null,
    thread_id: parent?.threadId ?? id,
    reply_rule: draft.replyRule,
    tombstone: null,
    created_at: isoTime(sentAt),
  };
  return {
    id,
    sender: draft.query.sender.pk,
    senderNo: slot.senderNo,
    recipient: target?.kind === "handle" ? target.pk : null,
    space: target?.kind === "space" ? target.pk : null,
    thread: parent?.thread ?? null,
    replyTo: parent?.pk ?? null,
    parentVotable: parent?.replyRule?.votable ?? null,
    replyRule: draft.replyRule,
    countedAt: slot.countedAt,
    doc: toDoc(resource),
    terms: draft.terms,
    inboxSeq: null,
  };
}

function heldWire({ query }: Draft, { id, doc, senderNo, countedAt }: NewWire): NewApproval {
  const { sender, target } = query;
  return { sender, kind: "wire", target, ref: id, doc, senderNo, createdAt: countedAt };
}
