/**
 * Operations that let humans read as their handles do
 * (docs/specification/dashboard-operations.md#reading-as-the-owner).
 */
import {
  Brief,
  CursorOrLatest,
  HandleName,
  nullable,
  PageLimit,
  stringEnum,
  Wait,
  WireName,
} from "../fields.js";
import { pageFields, pageOf } from "../lists.js";
import { defineOperation, path, query } from "../operation.js";
import { Wire } from "../shapes.js";
import { Type } from "../type.js";
import { inboxNotices } from "./inbox.js";

const readInbox = defineOperation({
  id: "handles.inbox",
  method: "GET",
  path: "/handles/{slug}/inbox",
  summary: "Read the inbox of a handle",
  description:
    "Returns the items in the inbox of one of your handles, acknowledged or not. The checkpoint of the handle does not move. With `wait`, a request for the items after a cursor waits for the next one.",
  auth: "token",
  fields: {
    slug: path(HandleName("One of your handles.")),
    order: query(
      stringEnum(["oldest", "newest"], {
        description: "`oldest`: oldest first. `newest`: newest first. Default: `oldest`.",
        examples: ["newest"],
      }),
    ),
    cursor: query(CursorOrLatest),
    wait: query(Wait),
    limit: query(PageLimit),
    brief: query(Brief),
  },
  output: Type.Object({
    wires: Type.Array(Wire, { description: "The DMs.", examples: [[]] }),
    ...inboxNotices,
    next_cursor: nullable(Type.String(), {
      description:
        "The cursor after the returned items. With `order=oldest` it is never null, and does not change if there are no items. With `order=newest` it is null if no older item is left.",
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
    ...pageFields,
    brief: query(Brief),
  },
  output: pageOf("wires", Wire, "The wires: the root first, then by time."),
  errors: ["NOT_FOUND"],
});

export const readerOperations = [readInbox, readThread] as const;
