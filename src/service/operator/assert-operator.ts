import { WireroomError } from "../../contract/errors.js";
import { isOperator } from "../../store/accounts/operators.js";
import type { Session } from "../../store/engine/engine.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";

/** Throws 403 unless the caller is an operator. Queries the database, so that role changes apply at once. */
export async function assertOperator({ caller }: Context<Agent>, session: Session): Promise<void> {
  if (await isOperator(session, caller.pk)) return;
  throw new WireroomError(
    "FORBIDDEN",
    `@${caller.slug} is not an operator; grant the role on the daemon's machine: wireroom operator grant @${caller.slug}`,
  );
}
