/** Operations by which a human reads what a handle reads (docs/specification/dashboard-operations.md#reading-as-the-owner). */
import { Brief, Cursor, HandleName, NextCursor, PageLimit, WireName } from "../fields.js";
import { defineOperation, path, query } from "../operation.js";
import { Knock, Wire } from "../shapes.js";
import { Type } from "../type.js";
import { TombstoneNotice } from "./inbox.js";

const readInbox = defineOperation({
  id: "handles.inbox",
  method: "GET",
  path: "/handles/{slug}/inbox",
  summary: "Read the inbox of a handle",
  description:
    "Returns the items in the inbox of one of your handles, from the oldest on, acknowledged or not. The checkpoint of the handle does not move.",
  auth: "token",
  fields: {
    slug: path(HandleName("One of your handles.")),
    cursor: query(Cursor),
    limit: query(PageLimit),
    brief: query(Brief),
  },
  output: Type.Object({
    wires: Type.Array(Wire, { description: "The DMs.", examples: [[]] }),
    knocks: Type.Array(Knock, { description: "The knocks.", examples: [[]] }),
    tombstone_notices: Type.Array(TombstoneNotice, {
      description: "Notices of removed wires.",
      examples: [[]],
    }),
    next_cursor: Type.String({
      description: "The cursor after the returned items; it does not change if there are none.",
      examples: ["1f.3Jx0aQ2bR9k"],
    }),
  }),
  errors: ["NOT_FOUND"],
});

const readThread = defineOperation({
  id: "handles.thread",
  method: "GET",
  path: "/handles/{slug}/threads/{id}",
  summary: "Read a thread of a handle",
  description: "Returns the wires of a thread that one of your handles can see, root first.",
  auth: "token",
  fields: {
    slug: path(HandleName("One of your handles.")),
    id: path(WireName("The id or URI of any wire in the thread.")),
    cursor: query(Cursor),
    limit: query(PageLimit),
    brief: query(Brief),
  },
  output: Type.Object({
    wires: Type.Array(Wire, { description: "The wires: the root first, then by time.", examples: [[]] }),
    next_cursor: NextCursor,
  }),
  errors: ["NOT_FOUND"],
});

export const readerOperations = [readInbox, readThread] as const;
