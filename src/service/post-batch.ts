/**
 * One transaction for posts that arrive together: one statement loads what all of them need, the rules are applied in
 * the order of arrival, and one statement a table stores what was accepted.
 */
import { WireroomError } from "../contract/errors.js";
import type { Wire } from "../contract/shapes.js";
import { EgressBlocked, type Passage } from "../domain/egress.js";
import { judgePost } from "../domain/posting.js";
import { type Governing, namesSchemas } from "../domain/posting-rules.js";
import { isoTime, now } from "../kernel/clock.js";
import { newId } from "../kernel/ids.js";
import { insertHeld, type NewHeld } from "../store/approvals.js";
import { type AuditEntry, appendAudit } from "../store/audit.js";
import type { BatchedWrite, Transaction } from "../store/engine.js";
import { searchableText } from "../store/fulltext/index.js";
import { remember } from "../store/idempotency.js";
import { decideKnock } from "../store/knocks.js";
import { insertWires, type NewWire } from "../store/new-wires.js";
import { loadPostFacts, lockPosts, type PostFacts } from "../store/posts.js";
import { addContact } from "../store/relations.js";
import { PinnedRefs, resolveRefs } from "../store/schemas.js";
import { together } from "../store/together.js";
import { recordBlocked } from "./blocked-egress.js";
import type { Context, Sender } from "./context.js";
import type { Draft } from "./draft.js";
import type { Outcome } from "./handler.js";
import { replay } from "./idempotency.js";
import { WIRE_WINDOWS, wireLimitStates, wireRefusal } from "./rate-limits.js";
import { entryOf } from "./record.js";
import { wireUri } from "./uris.js";
import { stillHolds } from "./validate-payload.js";

/** Answered where a payload must first be validated under the rule that governs it now. */
export interface Unvalidated {
  governing: Governing;
}

export type PostResult = Outcome | Unvalidated;

const SEND_WIRE = { id: "wires.send" };

export const postBatch: BatchedWrite<Draft, PostResult> = {
  async run(tx, drafts) {
    const at = now();
    const queries = drafts.map((draft) => draft.query);
    const [, facts] = await together([lockPosts(tx, queries), loadPostFacts(tx, queries, WIRE_WINDOWS, at)]);
    const batch = new PostBatch(tx, at, facts[0]!.latest);
    const results: PostResult[] = [];
    for (const [index, draft] of drafts.entries()) results.push(await batch.take(draft, facts[index]!));
    await batch.store();
    return results;
  },
};

/** What was decided of a post before: a held one has its id and its place in the sender's log already. */
export interface Place {
  id: string;
  senderNo: number;
  /** When it was handed in, which is the time that limits count. */
  countedAt: number;
}

/** What the posts before have changed, on top of the facts that were loaded for all at once. */
export class PostBatch {
  private readonly wires: NewWire[] = [];
  private readonly held: NewHeld[] = [];
  private readonly blocked: { draft: Draft; refusal: EgressBlocked }[] = [];
  private readonly outcomes: Parameters<typeof remember>[1][number][] = [];
  /** Wires sent or held in this batch, by sender; last inbox numbers given, by recipient. */
  private readonly accepted = new Map<number, number>();
  private readonly inboxHeads = new Map<number, number>();
  private readonly audit: AuditEntry[] = [];
  private freePk: number | null = null;
  /** Whether the transaction writes more than what `store` does. */
  private hasWritten = false;
  private readonly replies = new Map<string, { request: string; response: string }>();
  private readonly pins: PinnedRefs;

  constructor(
    private readonly tx: Transaction,
    private readonly at: number,
    latest: PostFacts["latest"],
  ) {
    this.pins = new PinnedRefs((refs) => resolveRefs(tx, refs), latest);
  }

  /** Judges a post, and keeps it for `store` where it is accepted. */
  async take(draft: Draft, facts: PostFacts): Promise<PostResult> {
    const { ctx, query } = draft;
    const added = this.accepted.get(query.sender.pk) ?? 0;
    const states = wireLimitStates(ctx.limits, facts.log, added, this.at);
    try {
      const done = this.replayed(draft, facts);
      if (done !== undefined) return { body: done, limits: states };
      const isUsedUp = states.some(({ remaining }) => remaining === 0);
      const limited = isUsedUp ? await wireRefusal(this.tx, query.sender.pk, states, added, this.at) : null;
      const { governing, passage } = judgePost(draft.post, facts, limited);
      if (isChecked(draft, governing) && (await this.mustValidate(draft, governing))) return { governing };
      const body = await this.accept(draft, facts, passage, added);
      return { body, limits: wireLimitStates(ctx.limits, facts.log, added + 1, this.at) };
    } catch (error) {
      if (error instanceof EgressBlocked) this.blocked.push({ draft, refusal: error });
      if (error instanceof WireroomError) return { error, limits: states };
      throw error;
    }
  }

  /**
   * Sends a post that was held and that a human has approved; `store` keeps it. Gives the rule under which its payload must
   * first be validated. Throws what refuses it now.
   */
  async release(draft: Draft, facts: PostFacts, place: Place): Promise<Unvalidated | undefined> {
    // The approval itself, at least.
    this.hasWritten = true;
    const { governing } = judgePost(draft.post, facts, null);
    if (isChecked(draft, governing) && (await this.mustValidate(draft, governing))) return { governing };
    await this.deliver(draft, facts, newWire(draft, facts, place, this.at));
    return undefined;
  }

  async store(): Promise<void> {
    const others = [this.held, this.outcomes, this.blocked, this.audit];
    const isAll = !this.hasWritten && others.every(({ length }) => length === 0);
    await insertWires(this.tx, this.wires, this.freePk, isAll);
    await insertHeld(this.tx, this.held);
    await remember(this.tx, this.outcomes, this.at);
    for (const { draft, refusal } of this.blocked) {
      await recordBlocked(draft.ctx, this.tx, SEND_WIRE, refusal, draft.idempotency);
    }
    await appendAudit(this.tx, this.audit);
  }

  /** The outcome that this idempotency key had, in the store or in this very batch. */
  private replayed(draft: Draft, facts: PostFacts): string | undefined {
    if (!draft.idempotency) return undefined;
    const remembered = facts.remembered ?? this.replies.get(JSON.stringify(draft.query.idempotency));
    return remembered && replay(remembered, draft.idempotency);
  }

  /** Throws what the schemas have against the payload. */
  private async mustValidate(draft: Draft, governing: Governing): Promise<boolean> {
    const { verdict } = draft;
    if (!verdict || !(await stillHolds(governing, this.pins, verdict))) return true;
    if (verdict.refusal) throw verdict.refusal;
    return false;
  }

  private async accept(draft: Draft, facts: PostFacts, passage: Passage, added: number): Promise<string> {
    const { ctx, query } = draft;
    // Times never go back along a sender's wires, whatever the clock does: the limits' windows depend on it.
    const countedAt = Math.max(this.at, facts.log.lastAt);
    const place = { id: newId(), senderNo: facts.log.last + added + 1, countedAt };
    const wire = newWire(draft, facts, place, this.at);
    if (passage === "held") this.held.push(heldWire(draft, wire));
    else await this.deliver(draft, facts, wire);
    this.accepted.set(query.sender.pk, added + 1);
    const body = JSON.stringify({
      id: wire.id,
      uri: wireUri(ctx.baseUrl, wire.id),
      thread_id: facts.parent?.threadId ?? wire.id,
      ...(passage === "held" && { status: passage }),
    });
    if (draft.idempotency && query.idempotency) {
      const outcome = { ...query.idempotency, request: draft.idempotency.hash, response: body };
      this.outcomes.push(outcome);
      this.replies.set(JSON.stringify(query.idempotency), outcome);
    }
    return body;
  }

  private async deliver(draft: Draft, { target, freePk }: PostFacts, wire: NewWire): Promise<void> {
    this.freePk = freePk;
    if (target?.kind === "handle") {
      wire.inboxSeq = (this.inboxHeads.get(target.pk) ?? target.inboxHead) + 1;
      this.inboxHeads.set(target.pk, wire.inboxSeq);
      if (target.pendingKnock !== null) await this.acceptKnock(draft.ctx, target.pk, target.pendingKnock);
    }
    this.wires.push(wire);
  }

  /** Decisions, section 6: a DM to a handle whose knock is pending accepts the knock. */
  private async acceptKnock(ctx: Context<Sender>, target: number, knock: number): Promise<void> {
    this.hasWritten = true;
    const id = await decideKnock(this.tx, knock, "accepted", this.at);
    // Another post of this very batch may have accepted it, or its target rejected it.
    if (id === undefined) return;
    const { pk, account } = ctx.caller;
    await addContact(this.tx, pk, target, this.at);
    const deed = {
      account: account.pk,
      handle: pk,
      action: "knock.answered",
      subject: `knock:${id}`,
    } as const;
    this.audit.push(entryOf(ctx, deed));
  }
}

/** Whether the payload has to be valid under a schema. */
function isChecked(draft: Draft, { rule }: Governing): boolean {
  if (draft.payload !== null && namesSchemas(rule)) return true;
  draft.verdict = undefined;
  return false;
}

function newWire(draft: Draft, facts: PostFacts, place: Place, at: number): NewWire {
  const { parent, target } = facts;
  const { id } = place;
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
    schema_ref: draft.verdict?.schemaRef ?? null,
    reply_to: parent?.id ?? null,
    thread_id: parent?.threadId ?? id,
    reply_rule: draft.replyRule,
    tombstone: null,
    created_at: isoTime(Math.max(at, facts.log.lastAt)),
  };
  return {
    id,
    sender: draft.query.sender.pk,
    senderNo: place.senderNo,
    recipient: target?.kind === "handle" ? target.pk : null,
    space: target?.kind === "space" ? target.pk : null,
    thread: parent?.thread ?? null,
    replyTo: parent?.pk ?? null,
    parentVotable: parent?.replyRule?.votable ?? null,
    replyRule: draft.replyRule,
    countedAt: place.countedAt,
    doc: JSON.stringify(resource),
    searchText: target?.kind === "space" ? searchableText(draft.text, draft.payload) : "",
    inboxSeq: null,
  };
}

function heldWire({ query }: Draft, { id, doc, senderNo, countedAt }: NewWire): NewHeld {
  const { sender, target } = query;
  return { sender, kind: "wire", target, ref: id, doc, senderNo, createdAt: countedAt };
}
