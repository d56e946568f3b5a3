/** Posts of one transaction: sent ones of POST /wires, and held ones that a human has approved. */
import type { Answer } from "../../contract/index.js";
import type { Wire } from "../../contract/shapes.js";
import type { Passage } from "../../domain/egress.js";
import { decidePost, type Governing, namesSchemas } from "../../domain/posting.js";
import { isoTime } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { wireUri } from "../../kernel/names.js";
import { insertHeld, type NewHeld } from "../../store/approvals.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import type { Queries } from "../../store/engine/sql.js";
import { searchableText } from "../../store/fulltext/index.js";
import { decideKnock } from "../../store/knocks.js";
import { addContact } from "../../store/relations.js";
import { PinnedRefs, resolveRefs } from "../../store/schemas.js";
import { insertWires, type NewWire } from "../../store/wires/insert.js";
import { type BatchFacts, type PostFacts, postFacts, postQueries } from "../../store/wires/post-facts.js";
import { recordAudit } from "../pipeline/audit.js";
import type { Context, Sender } from "../pipeline/context.js";
import type { Decision, Loaded, Locks } from "../pipeline/handler.js";
import type { Draft } from "./draft.js";
import { stillHolds, UnvalidatedPost } from "./verdict.js";

/** Sender, recipient and space are locked: what is numbered (a sender's wires, an inbox, a space's wires) then grows with the commits. */
export function locksOf({ query: { sender, toHandle, toSpace } }: Draft): Locks {
  return {
    handles: toHandle === null ? [sender.slug] : [sender.slug, toHandle],
    spaces: toSpace === null ? [] : [toSpace],
  };
}

/** What a transaction of posts has to load. */
export function loadPosts(session: Session, drafts: readonly Draft[], at: number): Queries {
  return postQueries(
    session,
    drafts.map(({ query }) => query),
    at,
  );
}

/** Where a held post has its place already. */
export interface Place {
  id: string;
  /** Its number in the sender's log. */
  senderNo: number;
  /** When it was handed in, which is the time that limits count. */
  countedAt: number;
}

interface AcceptedKnock {
  ctx: Context<Sender>;
  /** The pk of the knock, and that of the handle that sent it. */
  knock: number;
  from: number;
}

/** Decides posts over the effects of earlier posts of the batch, and stores those that were accepted. */
export class PostBatch {
  private readonly wires: NewWire[] = [];
  private readonly held: NewHeld[] = [];
  private readonly knocks: AcceptedKnock[] = [];
  /** Wires sent or held in this batch, by sender. */
  private readonly sent = new Map<number, number>();
  /** Last inbox numbers given in this batch, by recipient. */
  private readonly inboxHeads = new Map<number, number>();
  /** Made for the first payload that is governed by schemas. */
  private pins: PinnedRefs | undefined;

  private constructor(
    private readonly tx: Transaction,
    private readonly facts: BatchFacts,
    private readonly logs: Loaded["logs"],
    private readonly at: number,
  ) {}

  /** @param loaded the rows of `loadPosts`, and the senders' logs */
  static async begin(
    tx: Transaction,
    drafts: readonly Draft[],
    { rows, logs, at }: Loaded,
  ): Promise<PostBatch> {
    const queries = drafts.map(({ query }) => query);
    const hasPolicy = ({ sender }: { sender: { pk: number } }) => logs.get(sender.pk)!.hasPolicy;
    const facts = await postFacts(tx, queries, rows as never, hasPolicy);
    return new PostBatch(tx, facts, logs, at);
  }

  /** Decides post `n`. Throws its refusal, or `UnvalidatedPost`. */
  async decide(draft: Draft, n: number): Promise<Decision<"wires.send">> {
    const { ctx, post } = draft;
    const facts = this.facts.posts[n]!;
    // Learned again where the post is accepted.
    if (draft.verdict) ctx.predictedRules.forget(post);
    const { governing, passage } = decidePost(post, facts);
    const schemaRef = await this.schemaRefOf(draft, governing);
    const wire = newWire(draft, facts, schemaRef, this.nextPlace(ctx.caller.pk), this.sentAt(ctx.caller.pk));
    const answer: Answer<"wires.send"> = {
      id: wire.id,
      uri: wireUri(ctx.baseUrl, wire.id),
      thread_id: facts.parent?.threadId ?? wire.id,
      ...(passage === "held" && { status: passage }),
    };
    return { answer, accept: () => this.accept(draft, facts, governing, passage, wire) };
  }

  /** Sends held post `n` at the place that it has. Throws what refuses it now, or `UnvalidatedPost`. */
  async release(draft: Draft, n: number, place: Place): Promise<void> {
    const facts = this.facts.posts[n]!;
    const { governing } = decidePost(draft.post, facts);
    const schemaRef = await this.schemaRefOf(draft, governing);
    this.deliver(draft, facts, newWire(draft, facts, schemaRef, place, this.sentAt(draft.ctx.caller.pk)));
  }

  async store(): Promise<void> {
    for (const knock of this.knocks) await this.acceptKnock(knock);
    await insertWires(this.tx, this.wires, this.facts.nextPk);
    if (this.held.length > 0) insertHeld(this.tx, this.held);
  }

  private nextPlace(sender: number): Place {
    const senderNo = this.logs.get(sender)!.last + (this.sent.get(sender) ?? 0) + 1;
    return { id: newId(), senderNo, countedAt: this.sentAt(sender) };
  }

  /** Times never go back along a sender's wires, whatever the clock does: the limits' windows depend on it. */
  private sentAt(sender: number): number {
    return Math.max(this.at, this.logs.get(sender)!.lastAt);
  }

  /** The schema that accepted the payload. Throws what the schemas have against it. */
  private async schemaRefOf({ payload, verdict }: Draft, governing: Governing): Promise<string | null> {
    if (payload === null || !namesSchemas(governing.rule)) return null;
    this.pins ??= new PinnedRefs((refs) => resolveRefs(this.tx, refs), this.facts.latest);
    if (!verdict || !(await stillHolds(verdict, governing, this.pins))) throw new UnvalidatedPost(governing);
    if (verdict.refusal) throw verdict.refusal;
    return verdict.schemaRef;
  }

  private accept(
    draft: Draft,
    facts: PostFacts,
    governing: Governing,
    passage: Passage,
    wire: NewWire,
  ): void {
    if (draft.verdict) draft.ctx.predictedRules.learn(draft.post, governing);
    this.sent.set(wire.sender, (this.sent.get(wire.sender) ?? 0) + 1);
    if (passage === "held") this.held.push(heldWire(draft, wire));
    else this.deliver(draft, facts, wire);
  }

  private deliver({ ctx }: Draft, { target }: PostFacts, wire: NewWire): void {
    if (target?.kind === "handle") {
      wire.inboxSeq = (this.inboxHeads.get(target.pk) ?? target.inboxHead) + 1;
      this.inboxHeads.set(target.pk, wire.inboxSeq);
      if (target.pendingKnock !== null) {
        this.knocks.push({ ctx, knock: target.pendingKnock, from: target.pk });
      }
    }
    this.wires.push(wire);
  }

  /** A DM to a handle whose knock is pending accepts the knock. */
  private async acceptKnock({ ctx, knock, from }: AcceptedKnock): Promise<void> {
    const id = await decideKnock(this.tx, knock, "accepted", this.at);
    // Another post of this very batch may have accepted it, or its target rejected it.
    if (id === undefined) return;
    const { pk, account } = ctx.caller;
    await addContact(this.tx, pk, from, this.at);
    const event = {
      account: account.pk,
      handle: pk,
      action: "knock.answered",
      subject: `knock:${id}`,
    } as const;
    recordAudit(ctx, this.tx, event);
  }
}

function newWire(
  draft: Draft,
  { parent, target }: PostFacts,
  schemaRef: string | null,
  place: Place,
  sentAt: number,
): NewWire {
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
