import { WireroomError } from "../../contract/errors.js";
import { assertCanSeeWire } from "../../domain/visibility.js";
import { write } from "../handler.js";
import { removeWire } from "../remove-wire.js";
import { lockedWire } from "../visible-wire.js";

/** The sender alone may delete, also in a private space of which it is no longer a member. */
export const deleteWire = write("wires.delete", async (ctx, input, tx) => {
  const wire = await lockedWire(ctx, tx, input.id);
  if (wire.sender !== ctx.caller.pk) {
    assertCanSeeWire(wire, ctx.caller.pk);
    throw new WireroomError("FORBIDDEN", "only its sender may delete a wire");
  }
  return removeWire(ctx, tx, wire, "sender");
});
