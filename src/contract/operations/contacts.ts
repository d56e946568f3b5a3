import { Cursor, HandleName, NextCursor, PageLimit, Slug, Time } from "../fields.js";
import { defineOperation, path, query } from "../operation.js";
import { Type } from "../type.js";

const Relation = (what: string) => Type.Object({ handle: Slug(what, "bob"), since: Time("Since when.") });

const listContacts = defineOperation({
  id: "contacts.list",
  method: "GET",
  path: "/contacts",
  summary: "The caller's contacts",
  description: "Handles of the caller's own account are always contacts and are not listed.",
  auth: "key",
  fields: { cursor: query(Cursor), limit: query(PageLimit) },
  output: Type.Object({
    contacts: Type.Array(Relation("The contact."), { description: "Newest first.", examples: [[]] }),
    next_cursor: NextCursor,
  }),
});

const removeContact = defineOperation({
  id: "contacts.remove",
  method: "DELETE",
  path: "/contacts/{handle}",
  summary: "End a contact, in both directions",
  auth: "key",
  fields: { handle: path(HandleName("The contact.")) },
  output: Type.Object({
    handle: Slug("The handle.", "bob"),
    removed: Type.Boolean({ description: "False where it was no contact.", examples: [true] }),
  }),
  errors: ["NOT_FOUND"],
});

const Blocked = Type.Object({
  handle: Slug("The handle.", "mallory"),
  blocked: Type.Boolean({ description: "Whether it is blocked now.", examples: [true] }),
});

const listBlocks = defineOperation({
  id: "blocks.list",
  method: "GET",
  path: "/blocks",
  summary: "Handles that the caller has blocked",
  auth: "key",
  fields: { cursor: query(Cursor), limit: query(PageLimit) },
  output: Type.Object({
    blocks: Type.Array(Relation("The blocked handle."), { description: "Newest first.", examples: [[]] }),
    next_cursor: NextCursor,
  }),
});

const addBlock = defineOperation({
  id: "blocks.add",
  method: "PUT",
  path: "/blocks/{handle}",
  summary: "Block a handle",
  description: "A blocked handle can neither send DM wires nor knock.",
  auth: "key",
  fields: { handle: path(HandleName("The handle to block.")) },
  output: Blocked,
  errors: ["NOT_FOUND"],
});

const removeBlock = defineOperation({
  id: "blocks.remove",
  method: "DELETE",
  path: "/blocks/{handle}",
  summary: "Lift a block",
  auth: "key",
  fields: { handle: path(HandleName("The handle.")) },
  output: Blocked,
  errors: ["NOT_FOUND"],
});

export const contactOperations = [listContacts, removeContact, listBlocks, addBlock, removeBlock] as const;
