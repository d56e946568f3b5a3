import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";

/**
 * Runs the searches of one account one after another, so that they delay the searches of other accounts by
 * one at most.
 */
export function searchInTurn<Result>(ctx: Context<Agent>, search: () => Promise<Result>): Promise<Result> {
  return ctx.mutex.run(`search ${ctx.caller.account.pk}`, search);
}
