/** Sends what was held and is approved: through all checks, as of now (decisions, section 9). */
import { WireroomError } from "../../contract/errors.js";
import type { Knock, Wire } from "../../contract/shapes.js";
import { markSent, type StoredApproval } from "../../store/approvals.js";
import type { Transaction } from "../../store/engine/engine.js";
import { select } from "../../store/engine/sql.js";
import { usageFrom, usageQueries, WIRE_LIMITS } from "../../store/usage.js";
import type { Context, Human, Sender } from "../pipeline/context.js";
import type { Stale } from "../pipeline/handler.js";
import { deliverKnock, judgedKnock } from "../posting/deliver-knock.js";
import { type Draft, toDraft } from "../posting/draft.js";
import { loadPosts, PostBatch } from "../posting/post-batch.js";
import { UnvalidatedPost, validateAnew } from "../posting/verdict.js";

/** The draft of a held wire; with a verdict on its payload once a transaction has found the rule that governs it. */
export async function prepareRelease(
  ctx: Context<Human>,
  approval: StoredApproval,
  stale: Stale | undefined,
): Promise<Draft | undefined> {
  if (approval.kind === "knock" || approval.doc === null) return undefined;
  const draft = heldDraft(ctx, approval);
  return stale instanceof UnvalidatedPost ? validateAnew(draft, stale) : draft;
}

/** Sends it; gives what refuses it now, which leaves it unsent. Throws `Stale` where its payload must first be validated. */
export async function release(
  ctx: Context<Human>,
  tx: Transaction,
  approval: StoredApproval,
  draft: Draft | undefined,
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
    else await releaseWire(tx, approval, draft ?? heldDraft(ctx, approval), at);
    return null;
  } catch (error) {
    // Every refusal comes before anything is written.
    if (error instanceof WireroomError) return error;
    throw error;
  }
}

async function releaseWire(
  tx: Transaction,
  approval: StoredApproval,
  draft: Draft,
  at: number,
): Promise<void> {
  const { caller } = draft.ctx;
  const rows = await select(tx, {
    ...usageQueries(WIRE_LIMITS, [caller], at),
    ...loadPosts(tx, [draft], at),
  });
  const [usage] = await usageFrom(tx, WIRE_LIMITS, [caller], rows, at);
  const batch = await PostBatch.begin(tx, [draft], { at, rows, logs: new Map([[caller.pk, usage!.log!]]) });
  const place = { id: approval.ref, senderNo: approval.senderNo!, countedAt: approval.createdAt };
  await batch.release(draft, 0, place);
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
  return toDraft({ ...ctx, caller: senderOf(ctx, approval) }, input);
}

function senderOf({ caller }: Context<Human>, { sender }: StoredApproval): Sender {
  return { kind: "agent", pk: sender.pk, id: sender.id, slug: sender.slug, account: caller.account };
}
