import type { Knock } from "../../contract/shapes.js";
import { isoTime, now } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { handleSlug } from "../../kernel/names.js";
import type { StoredHandle } from "../../store/accounts/handles.js";
import { addApprovals, pendingHeldKnock } from "../../store/approvals/approvals.js";
import type { Transaction } from "../../store/engine/engine.js";
import type { Sender } from "../pipeline/context.js";
import { write } from "../pipeline/handler.js";
import { deliverKnock, loadAndDecideKnock } from "../posting/deliver-knock.js";

export const sendKnock = write(
  "knocks.send",
  async (ctx, input, tx) => {
    const { caller } = ctx;
    const at = now();
    const { target, egressDecision, pending } = await loadAndDecideKnock(tx, caller, input.handle, at);
    if (pending) return { id: pending.id, status: "pending" as const };
    if (egressDecision === "held")
      return { id: await holdKnock(tx, caller, target, input.intro, at), status: egressDecision };
    const id = newId();
    await deliverKnock(tx, { id, sender: caller, target, intro: input.intro, at });
    return { id, status: "pending" as const };
  },
  ({ handle }) => ({ handles: [handleSlug(handle)] }),
);

/**
 * Stores a knock (contact request) for approval by a human. Returns its id, or the id of the knock that is already held for
 * this target.
 */
async function holdKnock(
  tx: Transaction,
  sender: Sender,
  target: StoredHandle,
  intro: string,
  at: number,
): Promise<string> {
  const name = `@${target.resource.slug}`;
  const before = await pendingHeldKnock(tx, sender.pk, name, at);
  if (before) return before.ref;
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
      target: name,
      ref: knock.id,
      doc: JSON.stringify(knock),
      senderNo: null,
      createdAt: at,
    },
  ]);
  return knock.id;
}
