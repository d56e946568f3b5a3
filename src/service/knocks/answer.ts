import { WireroomError } from "../../contract/errors.js";
import { answerChangesKnock } from "../../domain/knocks.js";
import { now } from "../../kernel/clock.js";
import { knockById, setKnockStatus } from "../../store/knocks.js";
import { addContact } from "../../store/relations.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { write } from "../pipeline/handler.js";

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
  if (!answerChangesKnock(knock.resource.status, input.status)) return knock.resource;
  await setKnockStatus(tx, input.id, input.status, at);
  const { pk, account } = ctx.caller;
  const subject = `knock:${input.id}`;
  logAuditEvents(ctx, tx, { account: account.pk, handle: pk, action: "knock.answered", subject });
  if (input.status === "accepted") await addContact(tx, knock.sender, knock.target, at);
  return (await knockById(tx, input.id, at))!.resource;
});
