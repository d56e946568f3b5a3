import { WireroomError } from "../../contract/errors.js";
import { assertCanSeeWire } from "../../domain/visibility.js";
import type { Transaction } from "../../store/engine/engine.js";
import type { StoredWire } from "../../store/wires/wires.js";
import type { Agent, Context } from "../pipeline/context.js";
import { write } from "../pipeline/handler.js";
import { removeWire } from "../posting/remove-wire.js";
import { lockedWire } from "../shared/visible-wire.js";
import { withdrawWire } from "./held.js";

/** The sender alone may delete, also in a private space of which it is no longer a member. */
export const deleteWire = write("wires.delete", async (ctx, input, tx) => {
  const wire = await lockedWire(ctx, tx, input.id);
  if (!wire) return withdraw(ctx, tx, input.id);
  return remove(ctx, tx, wire);
});

/** A held wire is sent under a lock on its sender's handle: having it, one sees whether that was just done. */
async function withdraw(ctx: Context<Agent>, tx: Transaction, name: string) {
  await tx.lock("handles", "pk", [ctx.caller.pk]);
  const wire = await lockedWire(ctx, tx, name);
  return wire ? remove(ctx, tx, wire) : withdrawWire(ctx, tx, name);
}

function remove(ctx: Context<Agent>, tx: Transaction, wire: StoredWire) {
  if (wire.sender !== ctx.caller.pk) {
    assertCanSeeWire(wire, ctx.caller.pk);
    throw new WireroomError("FORBIDDEN", "only its sender may delete a wire");
  }
  return removeWire(ctx, tx, wire, "sender");
}
