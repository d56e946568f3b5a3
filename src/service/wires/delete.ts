import { WireroomError } from "../../contract/errors.js";
import { assertCanSeeWire } from "../../domain/visibility.js";
import type { Transaction } from "../../store/engine/engine.js";
import type { StoredWire } from "../../store/wires/wires.js";
import { lockWire } from "../access/wires.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { write } from "../pipeline/handler.js";
import { removeWire } from "../posting/remove-wire.js";
import { withdrawWire } from "./held.js";

/** Removes a wire that the caller sent, even in a private space that the caller has since left. */
export const deleteWire = write("wires.delete", async (ctx, input, tx) => {
  const wire = await lockWire(ctx, tx, input.id);
  if (!wire) return withdraw(ctx, tx, input.id);
  return remove(ctx, tx, wire);
});

/**
 * Withdraws a held wire. Locks the sender's handle first, as an approval does, and then checks whether the
 * wire was sent in the meantime.
 */
async function withdraw(ctx: Context<Agent>, tx: Transaction, name: string) {
  await tx.lock("handles", "pk", [ctx.caller.pk]);
  const wire = await lockWire(ctx, tx, name);
  return wire ? remove(ctx, tx, wire) : withdrawWire(ctx, tx, name);
}

function remove(ctx: Context<Agent>, tx: Transaction, wire: StoredWire) {
  if (wire.sender !== ctx.caller.pk) {
    assertCanSeeWire(wire, ctx.caller.pk);
    throw new WireroomError("FORBIDDEN", "only the sender of a wire may delete it");
  }
  return removeWire(ctx, tx, wire, "sender");
}
