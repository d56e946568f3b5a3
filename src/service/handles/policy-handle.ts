import { WireroomError } from "../../contract/errors.js";
import type { Session } from "../../store/engine/engine.js";
import type { Context, Human } from "../pipeline/context.js";
import { handleByName } from "../shared/handle-by-name.js";

/**
 * Returns a handle of the caller's account, to read or change its egress policy. Throws 404 if the handle does not exist, or
 * 403 if another account owns it.
 */
export async function policyHandle(ctx: Context<Human>, session: Session, name: string) {
  const handle = await handleByName(session, name);
  if (handle.account === ctx.caller.account.pk) return handle;
  throw new WireroomError("FORBIDDEN", `@${handle.resource.slug} belongs to another account`);
}
