import { WireroomError } from "../../contract/errors.js";
import type { Session } from "../../store/engine/engine.js";
import type { Human } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { handleByName } from "../shared/handle-by-name.js";

/**
 * Returns a handle of the caller's account. Throws 404 if it does not exist, or 403 if it belongs to another
 * account.
 */
export async function ownedHandle(ctx: Context<Human>, session: Session, name: string) {
  const handle = await handleByName(session, name);
  if (handle.account === ctx.caller.account.pk) return handle;
  throw new WireroomError("FORBIDDEN", `@${handle.resource.slug} belongs to another account`);
}
