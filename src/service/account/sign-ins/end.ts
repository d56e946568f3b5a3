import { WireroomError } from "../../../contract/errors.js";
import { now } from "../../../kernel/clock.js";
import {
  endGrant,
  endOtherSignIns,
  endSessionsOfSignIn,
  signInById,
} from "../../../store/accounts/sign-ins.js";
import { type AuditEvent, logAuditEvents } from "../../pipeline/audit.js";
import { write } from "../../pipeline/handler.js";

export const endSignIn = write("signIns.end", async (ctx, { id }, tx) => {
  const { account, human } = ctx.caller;
  const signIn = await signInById(tx, id);
  if (signIn?.human !== human) throw new WireroomError("NOT_FOUND", "you have no sign-in with this id");
  if (await endGrant(tx, signIn.grantId, now())) logAuditEvents(ctx, tx, endedEvent(account.pk, id));
  await endSessionsOfSignIn(tx, signIn);
  return { id, ended: true };
});

export const endOthers = write("signIns.endOthers", async (ctx, _input, tx) => {
  const { account, human, grantId } = ctx.caller;
  const ended = await endOtherSignIns(tx, human, grantId, now());
  logAuditEvents(ctx, tx, ...ended.map((id) => endedEvent(account.pk, id)));
  return { ended: ended.length };
});

function endedEvent(account: number, id: string): AuditEvent {
  return { account, handle: null, action: "sign_in.ended", subject: `sign-in:${id}` };
}
