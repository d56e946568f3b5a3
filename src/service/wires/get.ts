import type { Wire } from "../../contract/shapes.js";
import { assertCanSeeWire } from "../../domain/visibility.js";
import { RawJson } from "../../kernel/raw-json.js";
import { deliveryOf } from "../../store/inbox/checkpoints.js";
import { appendField } from "../../store/wires/wire-json.js";
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
  const presented = presentWire(wire, wire.space);
  const { pk, sender, recipient, tombstone } = wire;
  if (recipient === null || sender !== ctx.caller.pk) return presented;
  const { created_at: createdAt } = presented.parse();
  const delivery = await deliveryOf(session, { pk, recipient, createdAt, tombstone });
  return new RawJson<Wire>(appendField(wire.doc, "delivery", JSON.stringify(delivery)));
});
