/** Sends, lists and answers knocks. */

import { WireroomError } from "../../contract/errors.js";
import type { Knock } from "../../contract/shapes.js";
import { answerChanges } from "../../domain/approvals.js";
import { isoTime, now } from "../../kernel/clock.js";
import { newId } from "../../kernel/ids.js";
import { handleSlug } from "../../kernel/names.js";
import type { StoredHandle } from "../../store/accounts/handles.js";
import { addApprovals, pendingHeldKnock } from "../../store/approvals/approvals.js";
import type { Transaction } from "../../store/engine/engine.js";
import { knockById, knocksOf, setKnockStatus } from "../../store/knocks.js";
import { addContact } from "../../store/relations.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { Repeated } from "../pipeline/call.js";
import type { Sender } from "../pipeline/caller.js";
import { read, write } from "../pipeline/handler.js";
import { DEFAULT_PAGE_SIZE, decodeCursor, toPage } from "../pipeline/pages.js";
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

export const listKnocks = read("knocks.list", async (ctx, input, session) => {
  const { direction = "received", status, limit = DEFAULT_PAGE_SIZE } = input;
  const scope = ["knocks.list", ctx.caller.id, direction, status ?? ""];
  const before = decodeCursor(ctx, scope, input.cursor)?.[0];
  const query = { direction, status, before, limit: limit + 1, at: now() };
  const knocks = await knocksOf(session, ctx.caller.pk, query);
  const { items, next_cursor } = toPage(ctx, scope, knocks, limit, (knock) => [knock.pk]);
  return { knocks: items.map((knock) => knock.resource), next_cursor };
});

export const answerKnock = write("knocks.answer", async (ctx, input, tx) => {
  const at = now();
  const parties = await knockById(tx, input.id, at);
  if (parties) await tx.lock("handles", "pk", [parties.sender, parties.target]);
  await tx.lock("knocks", "id", [input.id]);
  const knock = await knockById(tx, input.id, at);
  if (!knock || (knock.target !== ctx.caller.pk && knock.sender !== ctx.caller.pk)) {
    throw new WireroomError("NOT_FOUND", "there is no knock with this id");
  }
  if (knock.target !== ctx.caller.pk) {
    throw new WireroomError("FORBIDDEN", "only the recipient of a knock may answer it");
  }
  if (!answerChanges("knock", knock.resource.status, input.status)) return knock.resource;
  await setKnockStatus(tx, input.id, input.status, at);
  const { pk, account } = ctx.caller;
  const answer = { subject: `knock:${input.id}`, detail: `from @${knock.resource.from}: ${input.status}` };
  logAuditEvents(ctx, tx, { account: account.pk, handle: pk, action: "knock.answered", ...answer });
  if (input.status === "accepted") await addContact(tx, knock.sender, knock.target, at);
  return (await knockById(tx, input.id, at))!.resource;
});
