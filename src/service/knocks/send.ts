import type { Knock } from "../../contract/shapes.js";
import { isoTime, now } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { handleSlug } from "../../kernel/names.js";
import type { StoredHandle } from "../../store/accounts/handles.js";
import { addApprovals, pendingHeldKnock } from "../../store/approvals/approvals.js";
import type { Transaction } from "../../store/engine/engine.js";
import { Repeated } from "../pipeline/call.js";
import type { Sender } from "../pipeline/caller.js";
import { write } from "../pipeline/handler.js";
import { deliverKnock, loadAndDecideKnock } from "../posting/deliver-knock.js";

/** Sends a knock, or holds it for approval. Returns the existing knock if one is already pending or held. */
export const sendKnock = write(
  "knocks.send",
  async ({ caller }, input, tx) => {
    const at = now();
    const { target, egressDecision, pending } = await loadAndDecideKnock(tx, caller, input.handle, at);
    if (pending) return new Repeated({ id: pending.id, status: "pending" as const });
    if (egressDecision === "held") {
      const before = await pendingHeldKnock(tx, caller.pk, `@${target.resource.slug}`, at);
      if (before) return new Repeated({ id: before.ref, status: egressDecision });
      return { id: await holdKnock(tx, caller, target, input.intro, at), status: egressDecision };
    }
    const id = newId();
    await deliverKnock(tx, { id, sender: caller, target, intro: input.intro, at });
    return { id, status: "pending" as const };
  },
  ({ handle }) => ({ handles: [handleSlug(handle)] }),
);

/** Stores a knock that a human must approve. Returns the knock's id. */
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
