import { WireroomError } from "../../contract/errors.js";
import { isOperator } from "../../store/accounts/operators.js";
import type { Session } from "../../store/engine/engine.js";
import type { Agent, Context } from "../pipeline/context.js";

/** Throws 403 unless the caller is an operator now: asked of the store each time, so that a grant or its end holds at once. */
export async function assertOperator({ caller }: Context<Agent>, session: Session): Promise<void> {
  if (await isOperator(session, caller.pk)) return;
  throw new WireroomError(
    "FORBIDDEN",
    `@${caller.slug} is no operator; operators are made on the daemon's own machine: wireroom operator grant @${caller.slug}`,
  );
}
