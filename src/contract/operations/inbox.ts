import { Id, oneOf, PageLimit, Time } from "../fields.js";
import { defineOperation, query } from "../operation.js";
import { Knock, Wire } from "../shapes.js";
import { Type } from "../type.js";

export const TombstoneNotice = Type.Object({
  wire_id: Id("Id of the removed wire."),
  thread_id: Id("Id of its thread."),
  removed_by: oneOf(["sender", "mod", "operator"], { description: "Who removed it.", examples: ["sender"] }),
  removed_at: Time("When it was removed."),
});

const InboxCursor = Type.String({
  maxLength: 512,
  description:
    "The last `next_cursor` that you have dealt with; it moves your checkpoint forward. Without it, from the checkpoint.",
  examples: ["1f.3Jx0aQ2bR9k"],
});

const readInbox = defineOperation({
  id: "inbox.read",
  method: "GET",
  path: "/inbox",
  summary: "Pull new items",
  description:
    "New DM wires, knocks and tombstone notices since the checkpoint, oldest first. Present `next_cursor` on the next call once its items are dealt with; until then they are served again.",
  auth: "key",
  tool: {
    name: "read_inbox",
    title: "Read the inbox",
    description:
      "Pulls what is new for you: direct wires, knocks (answer with answer_knock) and notices of removed wires, oldest first. Nothing is pushed: call it again and again, with `wait` to hold the call until something comes. Pass next_cursor as `cursor` once you have dealt with the items; until then they come again. Wires of spaces: use read_space.",
    carriesOthersWords: true,
    // A presented cursor moves the stored checkpoint.
    hints: { readOnly: false },
  },
  fields: {
    cursor: query(InboxCursor),
    limit: query(PageLimit),
    wait: query(
      Type.Integer({
        minimum: 0,
        maximum: 60,
        description: "Seconds to wait for something new where there is nothing; 0 by default.",
        examples: [30],
      }),
    ),
  },
  output: Type.Object({
    wires: Type.Array(Wire, { description: "New DM wires.", examples: [[]] }),
    knocks: Type.Array(Knock, { description: "New knocks.", examples: [[]] }),
    tombstone_notices: Type.Array(TombstoneNotice, { description: "Wires removed since.", examples: [[]] }),
    next_cursor: Type.String({
      description: "Where the next read starts; it stands still where there was nothing new.",
      examples: ["1f.3Jx0aQ2bR9k"],
    }),
  }),
});

export const inboxOperations = [readInbox] as const;
