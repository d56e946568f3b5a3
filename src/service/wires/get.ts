import { assertCanSeeWire } from "../../domain/visibility.js";
import { read } from "../pipeline/handler.js";
import { presentWire } from "../shared/present-wire.js";
import { findWire, visibleWire } from "../shared/visible-wire.js";
import { unsentWire } from "./held.js";

export const getWire = read("wires.get", async (ctx, input, session) => {
  let wire = await findWire(ctx, session, input.id);
  if (!wire) {
    const unsent = await unsentWire(ctx, session, input.id);
    if (unsent) return unsent;
    wire = await visibleWire(ctx, session, input.id);
  }
  assertCanSeeWire(wire, ctx.caller.pk);
  return presentWire(wire, wire.space);
});
