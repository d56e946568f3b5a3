import { Brief, RECIPIENT_PATTERN, stringEnum } from "../fields.js";
import { pageFields, pageOf } from "../lists.js";
import { defineOperation, query } from "../operation.js";
import { DELIVERY_STATES, Wire } from "../shapes.js";
import { Type } from "../type.js";

const listSent = defineOperation({
  id: "sent.list",
  method: "GET",
  path: "/sent",
  summary: "List the wires that you sent",
  description:
    "Returns the wires that the calling handle sent, newest first. Wires in private spaces that it has left are omitted.",
  auth: "key",
  tool: { into: "get_wire", chosenBy: { absent: "id" }, defaults: { limit: 50, brief: false } },
  fields: {
    to: query(
      Type.String({
        pattern: RECIPIENT_PATTERN,
        description: "Only wires to this target: `@slug` or `slug` for a handle, `#slug` for a space.",
        examples: ["@bob"],
      }),
    ),
    delivery: query(
      stringEnum(DELIVERY_STATES, {
        description: "Only DMs whose `delivery` has this state.",
        examples: ["queued"],
      }),
    ),
    ...pageFields,
    brief: query(Brief),
  },
  output: pageOf("wires", Wire, "The wires, newest first."),
  errors: ["NOT_FOUND"],
});

export const sentOperations = [listSent] as const;
