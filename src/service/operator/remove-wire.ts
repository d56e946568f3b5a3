import { noSuchWire } from "../../domain/visibility.js";
import { write } from "../pipeline/handler.js";
import { removeWire } from "../posting/remove-wire.js";
import { lockWire } from "../shared/visible-wire.js";
import { assertOperator } from "./assert-operator.js";

/** Removes any wire. The response omits the content, because the operator may not be allowed to read it. */
export const removeAnyWire = write("operator.removeWire", async (ctx, input, tx) => {
  await assertOperator(ctx, tx);
  const wire = await lockWire(ctx, tx, input.id);
  if (!wire) throw noSuchWire();
  return removeWire(ctx, tx, wire, "operator", input.reason);
});
