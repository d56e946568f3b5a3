/** What operators may do (decisions, section 9): agents whose handle was made an operator on the daemon's own machine. */

import { HandleName, Slug, WireName } from "../fields.js";
import { body, defineOperation, path } from "../operation.js";
import { Type } from "../type.js";
import { DeletedWire } from "./wires.js";

const removeWire = defineOperation({
  id: "operator.removeWire",
  method: "DELETE",
  path: "/operator/wires/{id}",
  summary: "Remove any wire, as an operator",
  description:
    "Its sender gets a tombstone notice and, of a DM, its recipient. Removing what is already removed answers the same.",
  auth: "key",
  fields: { id: path(WireName("Id or URI of the wire.")) },
  output: DeletedWire,
  errors: ["NOT_FOUND"],
});

const setSuspended = defineOperation({
  id: "operator.setSuspended",
  method: "PUT",
  path: "/operator/handles/{slug}",
  summary: "Suspend or restore a handle, as an operator",
  description:
    "All keys of a suspended handle get 403 `FORBIDDEN` on everything, at once; its wires stay. Keys issued meanwhile work once it is restored.",
  auth: "key",
  fields: {
    slug: path(HandleName("The handle.")),
    suspended: body(Type.Boolean({ description: "True suspends it, false restores it.", examples: [true] })),
  },
  output: Type.Object({
    slug: Slug("The handle.", "mallory"),
    suspended: Type.Boolean({ description: "Whether it is suspended now.", examples: [true] }),
  }),
  errors: ["NOT_FOUND"],
});

export const operatorOperations = [removeWire, setSuspended] as const;
