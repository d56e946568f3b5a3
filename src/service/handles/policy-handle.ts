import { WireroomError } from "../../contract/errors.js";
import type { Session } from "../../store/engine/engine.js";
import type { Context, Human } from "../pipeline/context.js";
import { namedHandle } from "../shared/named-handle.js";

/** The handle whose policy the caller reads or sets. Throws 404, or 403 for one of another account. */
export async function policyHandle(ctx: Context<Human>, session: Session, name: string) {
  const handle = await namedHandle(session, name);
  if (handle.account === ctx.caller.account.pk) return handle;
  throw new WireroomError("FORBIDDEN", `@${handle.resource.slug} belongs to another account`);
}
