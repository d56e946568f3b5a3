/** Sends what was held and is approved: through all checks, as of now (decisions, section 9). */
import { WireroomError } from "../../contract/errors.js";
import type { Knock, Wire } from "../../contract/shapes.js";
import { judgePost } from "../../domain/posting.js";
import type { Governing } from "../../domain/posting-rules.js";
import { now } from "../../kernel/clock.js";
import { markSent, type StoredApproval } from "../../store/approvals.js";
import type { Session, Transaction } from "../../store/engine.js";
import { loadPostFacts } from "../../store/posts.js";
import type { Context, Human, Sender } from "../context.js";
import { deliverKnock, judgedKnock } from "../deliver-knock.js";
import { type Draft, toDraft } from "../draft.js";
import { Stale } from "../handler.js";
import { PostBatch } from "../post-batch.js";
import { WIRE_WINDOWS } from "../rate-limits.js";
import { type Verdict, validatePayload } from "../validate-payload.js";

/** The verdict on the payload of a held wire under the rule that governs it now; undefined where nothing is to be validated. */
export async function examine(ctx: Context<Human>, approval: StoredApproval): Promise<Verdict | undefined> {
  if (approval.kind === "knock" || approval.doc === null) return undefined;
  const draft = heldDraft(ctx, approval);
  const governing = draft.payload === null ? undefined : await governingOf(ctx, draft);
  return governing && validatePayload(ctx, governing, draft.payload);
}

/** Undefined where something else refuses the wire; the policy is left out, as the answer itself may change it. */
async function governingOf(ctx: Context<Human>, draft: Draft): Promise<Governing | undefined> {
  const facts = await factsOf(ctx.store.engine.reader, draft, now());
  try {
    return judgePost(draft.post, { ...facts, egress: null }, null).governing;
  } catch (error) {
    if (error instanceof WireroomError) return undefined;
    throw error;
  }
}

/** Sends it; gives what refuses it now, which leaves it unsent. Throws `Stale` where it must be examined again. */
export async function release(
  ctx: Context<Human>,
  tx: Transaction,
  approval: StoredApproval,
  verdict: Verdict | undefined,
  at: number,
): Promise<WireroomError | null> {
  try {
    if (!approval.sender.isActive) {
      throw new WireroomError(
        "FORBIDDEN",
        `@${approval.sender.slug} is suspended or retired and cannot send`,
      );
    }
    if (approval.kind === "knock") await releaseKnock(ctx, tx, approval, at);
    else await releaseWire(ctx, tx, approval, verdict, at);
    return null;
  } catch (error) {
    // Every refusal comes before anything is written.
    if (error instanceof WireroomError) return error;
    throw error;
  }
}

async function releaseWire(
  ctx: Context<Human>,
  tx: Transaction,
  approval: StoredApproval,
  verdict: Verdict | undefined,
  at: number,
): Promise<void> {
  const draft = heldDraft(ctx, approval);
  draft.verdict = verdict;
  const facts = await factsOf(tx, draft, at);
  const batch = new PostBatch(tx, at, facts.latest);
  const place = { id: approval.ref, senderNo: approval.senderNo!, countedAt: approval.createdAt };
  const unvalidated = await batch.release(draft, facts, place);
  if (unvalidated) {
    ctx.expectedRules.forgetRefs(unvalidated.governing);
    throw new Stale("the rule that governs the wire has changed");
  }
  await batch.store();
  await markSent(tx, approval.pk);
}

/** Where a knock of the same sender waits at the target by now, that one stands for it, as in POST /knocks. */
async function releaseKnock(
  ctx: Context<Human>,
  tx: Transaction,
  approval: StoredApproval,
  at: number,
): Promise<void> {
  const { id, intro } = JSON.parse(approval.doc!) as Knock;
  const sender = senderOf(ctx, approval);
  const { target, pending } = await judgedKnock(tx, sender, approval.target, at);
  if (!pending) await deliverKnock(tx, { id, sender, target, intro, at });
}

/** The wire as it was handed in. */
function heldDraft(ctx: Context<Human>, approval: StoredApproval): Draft {
  const { text_body, payload, reply_to, reply_rule } = JSON.parse(approval.doc!) as Wire;
  const input = {
    to: approval.target,
    ...(text_body !== null && { text: text_body }),
    ...(payload !== null && { payload }),
    ...(reply_to !== null && { reply_to }),
    ...(reply_rule !== null && { reply_rule }),
  };
  return toDraft({ ...ctx, caller: senderOf(ctx, approval) }, input, undefined);
}

function senderOf({ caller }: Context<Human>, { sender }: StoredApproval): Sender {
  return { kind: "agent", pk: sender.pk, id: sender.id, slug: sender.slug, account: caller.account };
}

async function factsOf(session: Session, draft: Draft, at: number) {
  return (await loadPostFacts(session, [draft.query], WIRE_WINDOWS, at))[0]!;
}
