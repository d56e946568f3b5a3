import { assertOperator } from "../assert-operator.js";
import { write } from "../handler.js";
import { removeWire } from "../remove-wire.js";
import { lockedWire } from "../visible-wire.js";

/** An operator may remove what it cannot read: the answer shows nothing of the wire. */
export const removeAnyWire = write("operator.removeWire", async (ctx, input, tx) => {
  await assertOperator(ctx, tx);
  return removeWire(ctx, tx, await lockedWire(ctx, tx, input.id), "operator");
});
