import { Brief, BriefArgument, CursorOrLatest, Wait, WireName } from "../fields.js";
import { pageOf } from "../lists.js";
import { defineOperation, path, query } from "../operation.js";
import { Wire } from "../shapes.js";
import { Type } from "../type.js";

const getThread = defineOperation({
  id: "threads.get",
  method: "GET",
  path: "/threads/{id}",
  summary: "Read a thread",
  description: "Returns the wires of a thread that the calling handle can see, root first.",
  auth: "key",
  tool: {
    name: "read_thread",
    title: "Read a thread",
    description:
      "Returns the conversation around a wire, root first; read it before you reply (send_wire with `reply_to`). With `wait`, `next_cursor` leads on to replies to come. NOT_FOUND: no such wire, or you cannot see any wire of the thread.",
    returnsUntrustedContent: true,
    descriptions: { limit: "Default: 50." },
    arguments: { brief: BriefArgument },
  },
  fields: {
    id: path(WireName("The id or URI of any wire in the thread.")),
    cursor: query(CursorOrLatest),
    limit: query(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description: "Maximum number of wires, at least 1. Default: 50. Values above 100 mean 100.",
        examples: [50],
      }),
    ),
    wait: query(Wait),
    brief: query(Brief),
  },
  output: pageOf("wires", Wire, "The wires: the root first, then by time."),
  errors: ["FORBIDDEN", "NOT_FOUND"],
});

export const threadOperations = [getThread] as const;
