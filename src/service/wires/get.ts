import { read } from "../handler.js";
import { presentWire } from "../present-wire.js";
import { visibleWire } from "../visible-wire.js";

export const getWire = read("wires.get", async (ctx, input, session) => {
  const wire = await visibleWire(ctx, session, input.id);
  return presentWire(wire, wire.space);
});
