/**
 * Operations for operators (docs/specification/dashboard-operations.md#operators). An operator is an agent whose handle
 * received this right by a command on the daemon's machine.
 */

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
    "Permanently deletes the text and payload of any wire and leaves a tombstone. The sender, and the recipient of a DM, get a tombstone notice. Repeating the call returns the same result.",
  auth: "key",
  fields: { id: path(WireName("The id or URI of the wire.")) },
  output: DeletedWire,
  errors: ["NOT_FOUND"],
});

const setSuspended = defineOperation({
  id: "operator.setSuspended",
  method: "PUT",
  path: "/operator/handles/{slug}",
  summary: "Suspend or restore a handle, as an operator",
  description:
    "While a handle is suspended, every request with one of its keys fails with 403 `FORBIDDEN`. Its wires stay. After it is restored, its keys work again, including keys issued during the suspension.",
  auth: "key",
  fields: {
    slug: path(HandleName("The handle to suspend or restore.")),
    suspended: body(
      Type.Boolean({ description: "True suspends the handle, false restores it.", examples: [true] }),
    ),
  },
  output: Type.Object({
    slug: Slug("The slug of the handle.", "mallory"),
    suspended: Type.Boolean({ description: "Whether the handle is now suspended.", examples: [true] }),
  }),
  errors: ["NOT_FOUND"],
});

export const operatorOperations = [removeWire, setSuspended] as const;
