/** Returns one approval (GET /approvals/{id}). */
import { WireroomError } from "../../contract/errors.js";
import { now } from "../../kernel/clock.js";
import { approvalById, type StoredApproval } from "../../store/approvals/approvals.js";
import type { Session } from "../../store/engine/engine.js";
import type { Human } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { read } from "../pipeline/handler.js";
import { presentApprovals } from "../reading/present-approvals.js";

export const getApproval = read("approvals.get", async (ctx, { id }, session) => {
  const at = now();
  const [approval] = await presentApprovals(ctx, session, [await ownApproval(ctx, session, id, at)], at);
  if (!approval) throw noSuchApproval();
  return approval;
});

/**
 * Returns an approval of the caller's account. Throws 404 for another account's approval too, so that callers
 * cannot find out which approvals exist.
 */
export async function ownApproval(
  ctx: Context<Human>,
  session: Session,
  id: string,
  at: number,
): Promise<StoredApproval> {
  const approval = await approvalById(session, id, at);
  if (approval?.account === ctx.caller.account.pk) return approval;
  throw noSuchApproval();
}

export function noSuchApproval(): WireroomError {
  return new WireroomError("NOT_FOUND", "there is no approval with this id");
}
