import { WireroomError } from "../../contract/errors.js";
import { assertCanSeeWire } from "../../domain/visibility.js";
import { write } from "../handler.js";
import { withdrawWire } from "../held-wire.js";
import { removeWire } from "../remove-wire.js";
import { findWire } from "../visible-wire.js";

/** The sender alone may delete, also in a private space of which it is no longer a member. */
export const deleteWire = write("wires.delete", async (ctx, input, tx) => {
  const wire = await findWire(ctx, tx, input.id);
  if (!wire) return withdrawWire(ctx, tx, input.id);
  if (wire.sender !== ctx.caller.pk) {
    assertCanSeeWire(wire, ctx.caller.pk);
    throw new WireroomError("FORBIDDEN", "only its sender may delete a wire");
  }
  return removeWire(ctx, tx, wire, "sender");
});
