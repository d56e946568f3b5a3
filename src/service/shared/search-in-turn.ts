import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";

/** Runs an account's searches one after another, so that they delay other accounts by at most one search. */
export function searchInTurn<Result>(ctx: Context<Agent>, search: () => Promise<Result>): Promise<Result> {
  return ctx.mutex.run(`search ${ctx.caller.account.pk}`, search);
}
