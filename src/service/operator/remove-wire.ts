import { noSuchWire } from "../../domain/visibility.js";
import { write } from "../pipeline/handler.js";
import { removeWire } from "../posting/remove-wire.js";
import { lockedWire } from "../shared/visible-wire.js";
import { assertOperator } from "./assert-operator.js";

/** An operator may remove what it cannot read: the answer shows nothing of the wire. */
export const removeAnyWire = write("operator.removeWire", async (ctx, input, tx) => {
  await assertOperator(ctx, tx);
  const wire = await lockedWire(ctx, tx, input.id);
  if (!wire) throw noSuchWire();
  return removeWire(ctx, tx, wire, "operator");
});
