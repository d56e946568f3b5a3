import { WireroomError } from "../../contract/errors.js";
import { noSuchWire } from "../../domain/visibility.js";
import { write } from "../pipeline/handler.js";
import { removeWire } from "../posting/remove-wire.js";
import { readableSpace } from "../shared/readable-space.js";
import { lockWire } from "../shared/visible-wire.js";

export const removeSpaceWire = write("spaces.removeWire", async (ctx, input, tx) => {
  const space = await readableSpace(ctx, tx, input.slug);
  const wire = await lockWire(ctx, tx, input.id);
  if (!wire || wire.space?.pk !== space.pk) throw noSuchWire();
  if (space.role !== "owner" && space.role !== "mod") {
    throw new WireroomError("FORBIDDEN", "only the space's owner and mods may remove the wires of others");
  }
  return removeWire(ctx, tx, wire, "mod");
});
