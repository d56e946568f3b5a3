import type { Input } from "../../contract/index.js";
import type { Knock } from "../../contract/shapes.js";
import { isoTime, now } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { handleSlug } from "../../kernel/names.js";
import type { StoredHandle } from "../../store/accounts/handles.js";
import { addApprovals, pendingHeldKnock } from "../../store/approvals/approvals.js";
import type { Transaction } from "../../store/engine/engine.js";
import type { Sender } from "../pipeline/caller.js";
import type { Decision, WriteHandler } from "../pipeline/handler.js";
import { deliverKnock, loadAndDecideKnock } from "../posting/deliver-knock.js";

export const sendKnock: WriteHandler<"knocks.send", undefined> = {
  kind: "write",
  isBatched: false,
  prepare: async () => undefined,
  locks: ({ input }) => ({ handles: [handleSlug(input.handle)] }),
  begin: async (tx) => ({ decide: ({ ctx, input }) => sendOrHold(tx, ctx.caller, input) }),
};

/**
 * Sends a knock or holds it for approval. A knock that is already pending or held is
 * returned again.
 */
async function sendOrHold(
  tx: Transaction,
  sender: Sender,
  input: Input<"knocks.send">,
): Promise<Decision<"knocks.send">> {
  const at = now();
  const { target, egressDecision, pending } = await loadAndDecideKnock(tx, sender, input.handle, at);
  if (pending) return { answer: { id: pending.id, status: "pending" }, isRepeat: true };
  if (egressDecision === "held") {
    const before = await pendingHeldKnock(tx, sender.pk, `@${target.resource.slug}`, at);
    const id = before?.ref ?? (await holdKnock(tx, sender, target, input.intro, at));
    return { answer: { id, status: egressDecision }, isRepeat: before !== undefined };
  }
  const id = newId();
  await deliverKnock(tx, { id, sender, target, intro: input.intro, at });
  return { answer: { id, status: "pending" } };
}

/** Stores a knock for approval by a human. Returns its id. */
async function holdKnock(
  tx: Transaction,
  sender: Sender,
  target: StoredHandle,
  intro: string,
  at: number,
): Promise<string> {
  const knock: Knock = {
    id: newId(),
    from_handle_id: sender.id,
    to_handle_id: target.resource.id,
    from: sender.slug,
    to: target.resource.slug,
    intro,
    status: "pending",
    created_at: isoTime(at),
    decided_at: null,
  };
  const { pk, account } = sender;
  await addApprovals(tx, [
    {
      sender: { pk, account: account.pk },
      kind: "knock",
      target: `@${target.resource.slug}`,
      ref: knock.id,
      doc: JSON.stringify(knock),
      senderNo: null,
      createdAt: at,
    },
  ]);
  return knock.id;
}
