import { WireroomError } from "../../contract/errors.js";
import { isAllowed } from "../../domain/rule-features.js";
import { wireId } from "../../kernel/names.js";
import type { Transaction } from "../../store/engine/engine.js";
import { setVote } from "../../store/wires/wires.js";
import { visibleWire } from "../access/wires.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { write } from "../pipeline/handler.js";

/**
 * Sets or removes the caller's vote. Repeating the call changes nothing. A handle may vote on its own wires
 * (docs/specification/rules.md#votes).
 */
async function changeVote(
  ctx: Context<Agent>,
  tx: Transaction,
  name: string,
  voted: boolean,
): Promise<{ voted: boolean; vote_count: number }> {
  await tx.lock("wires", "id", [wireId(ctx.baseUrl, name)]);
  const wire = await visibleWire(ctx, tx, name);
  const reason = !wire.space
    ? "a DM wire cannot be voted on"
    : wire.tombstone
      ? "a removed wire cannot be voted on"
      : !isAllowed("votable", wire, wire.space)
        ? "the rule that governs this wire is not votable"
        : undefined;
  if (reason) throw new WireroomError("VOTING_DISABLED", reason);
  return { voted, vote_count: await setVote(tx, wire, ctx.caller.pk, voted) };
}

export const castVote = write("wires.vote", (ctx, input, tx) => changeVote(ctx, tx, input.id, true));

export const revokeVote = write("wires.unvote", (ctx, input, tx) => changeVote(ctx, tx, input.id, false));
