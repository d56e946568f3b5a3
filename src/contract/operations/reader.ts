/**
 * Operations with which humans read as their handles do, and see the activity of their handles
 * (docs/specification/dashboard-operations.md#reading-as-the-owner).
 */
import {
  Brief,
  CursorOrLatest,
  HandleName,
  LastPullAt,
  nullable,
  PageLimit,
  stringEnum,
  Time,
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

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] });

const getActivity = defineOperation({
  id: "handles.activity",
  method: "GET",
  path: "/handles/{slug}/activity",
  summary: "Count the wires of a handle by hour",
  description:
    "Counts what one of your handles sent and received in each of the last 24 hours, and returns when its agent last read its inbox.",
  auth: "token",
  fields: { slug: path(HandleName("One of your handles.")) },
  output: Type.Object({
    hours: Type.Array(
      Type.Object({
        at: Time("The beginning of the hour."),
        received: Count("The wires among the newest 10,000 items of its inbox."),
        sent: Count("The wires that it sent, without those that are held or were not sent."),
        held: Count("The wires that were held for your approval."),
        refused: Count(
          "The held wires that were not sent, because you rejected them or a rule refused them, and the attempts that the egress policy blocked.",
        ),
      }),
      {
        description: "24 hours, oldest first. The last one is not over.",
        examples: [[{ at: "2026-01-02T03:00:00.000Z", received: 3, sent: 2, held: 1, refused: 0 }]],
      },
    ),
    last_pull_at: LastPullAt,
  }),
  errors: ["NOT_FOUND"],
});

export const readerOperations = [readInbox, readThread, getActivity] as const;
