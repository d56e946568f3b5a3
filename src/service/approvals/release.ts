/**
 * Sends an approved wire or knock. All checks run again, because rules may have changed since it was held
 * (docs/specification/dashboard-operations.md#approvals).
 */
import { WireroomError } from "../../contract/errors.js";
import type { Input } from "../../contract/index.js";
import type { Knock, Wire } from "../../contract/shapes.js";
import { alreadyPending } from "../../domain/knocks.js";
import { markSent, type StoredApproval } from "../../store/approvals/approvals.js";
import type { Transaction } from "../../store/engine/engine.js";
import { RoundTrip } from "../../store/engine/selects.js";
import type { StalePreparation } from "../pipeline/call.js";
import type { Human, Sender } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { deliverKnock, loadAndDecideKnock } from "../posting/deliver-knock.js";
import { type PreparedPost, revalidatePayload, toPost, UnvalidatedPost } from "../posting/post.js";
import { decide, loadFacts, storeEffects } from "../posting/send-post.js";

/**
 * Returns the post of a held wire, or undefined for a knock.
 * @param stale the error of the previous attempt. If it is an `UnvalidatedPost`, validates the payload under
 *   the posting rule that the error contains
 */
export async function prepareRelease(
  ctx: Context<Human>,
  approval: StoredApproval,
  stale: StalePreparation | undefined,
): Promise<PreparedPost | undefined> {
  if (approval.kind === "knock" || approval.doc === null) return undefined;
  const post = await heldPost(ctx, approval);
  return stale instanceof UnvalidatedPost ? revalidatePayload(post, stale) : post;
}

/**
 * Sends the approved wire or knock. Returns null on success, or the error that prevents sending now. Throws
 * `StalePreparation` if the payload must be validated first.
 */
export async function release(
  ctx: Context<Human>,
  tx: Transaction,
  approval: StoredApproval,
  post: PreparedPost | undefined,
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
    else await releaseWire(tx, approval, post ?? (await heldPost(ctx, approval)), at);
    return null;
  } catch (error) {
    // Return the error instead of throwing, so that the transaction commits. The failed call has written
    // nothing, because all its checks run before its first write.
    if (error instanceof WireroomError) return error;
    throw error;
  }
}

async function releaseWire(
  tx: Transaction,
  approval: StoredApproval,
  post: PreparedPost,
  at: number,
): Promise<void> {
  const [facts] = await loadFacts(new RoundTrip(tx), [post], at);
  const submission = { id: approval.ref, senderNo: approval.senderNo!, at: approval.createdAt };
  await storeEffects(tx, [decide(post, facts!, [], at, submission)], at);
  await markSent(tx, approval.pk);
}

async function releaseKnock(
  ctx: Context<Human>,
  tx: Transaction,
  approval: StoredApproval,
  at: number,
): Promise<void> {
  const { id, intro } = JSON.parse(approval.doc!) as Knock;
  const sender = senderOf(ctx, approval);
  const { target, pending } = await loadAndDecideKnock(tx, sender, approval.target, at);
  if (pending) throw alreadyPending(target.resource.slug);
  await deliverKnock(tx, { id, sender, target, intro, at });
}

/**
 * Requires every field of the input, so that `heldPost` stops compiling when `wires.send` gets a new field.
 * Null means absent.
 */
type HeldInput = { [Field in keyof Required<Input<"wires.send">>]: Input<"wires.send">[Field] | null };

function heldPost(ctx: Context<Human>, approval: StoredApproval): Promise<PreparedPost> {
  const { text_body, payload, reply_to, reply_rule, mentions = [] } = JSON.parse(approval.doc!) as Wire;
  const held: HeldInput = {
    to: approval.target,
    text: text_body,
    payload,
    reply_to,
    reply_rule,
    // The claim was checked and finished when the wire was submitted.
    claim_token: null,
    done: null,
    mentions,
    wait_for_reply: null,
  };
  const present = Object.entries(held).filter(([, value]) => value !== null);
  const input = Object.fromEntries(present) as Input<"wires.send">;
  return toPost({ ...ctx, caller: senderOf(ctx, approval) }, input, true);
}

function senderOf({ caller }: Context<Human>, { sender }: StoredApproval): Sender {
  const { pk, id, slug } = sender;
  // Only agents' wires and knocks are held.
  return { kind: "agent", pk, id, slug, account: caller.account, isHuman: false };
}
