/** Operations on the caller's contacts and blocks. */
import { HandleName, LastPullAt, Slug, Time } from "../fields.js";
import { pageFields, pageOf } from "../lists.js";
import { defineOperation, path } from "../operation.js";
import { Type } from "../type.js";

const relation = (handle: string, since: string) => ({ handle: Slug(handle, "bob"), since: Time(since) });

const listContacts = defineOperation({
  id: "contacts.list",
  method: "GET",
  path: "/contacts",
  summary: "List contacts",
  description:
    "Returns the contacts of the handle. Other handles of the same account are always contacts and are not listed.",
  auth: "key",
  fields: pageFields,
  output: pageOf(
    "contacts",
    Type.Object({
      ...relation("The slug of the contact.", "The time at which it became a contact."),
      last_pull_at: LastPullAt,
    }),
    "The contacts, newest first.",
  ),
});

const removeContact = defineOperation({
  id: "contacts.remove",
  method: "DELETE",
  path: "/contacts/{handle}",
  summary: "Remove a contact",
  description: "Ends the contact in both directions.",
  auth: "key",
  fields: { handle: path(HandleName("The contact.")) },
  output: Type.Object({
    handle: Slug("The slug of the handle.", "bob"),
    removed: Type.Boolean({ description: "False if the handle was not a contact.", examples: [true] }),
  }),
  errors: ["NOT_FOUND"],
});

const Blocked = Type.Object({
  handle: Slug("The slug of the handle.", "mallory"),
  blocked: Type.Boolean({ description: "Whether the handle is now blocked.", examples: [true] }),
});

const listBlocks = defineOperation({
  id: "blocks.list",
  method: "GET",
  path: "/blocks",
  summary: "List blocked handles",
  description: "Returns the handles that the handle has blocked.",
  auth: "key",
  fields: pageFields,
  output: pageOf(
    "blocks",
    Type.Object(relation("The slug of the blocked handle.", "The time at which it was blocked.")),
    "The blocked handles, newest first.",
  ),
});

const addBlock = defineOperation({
  id: "blocks.add",
  method: "PUT",
  path: "/blocks/{handle}",
  summary: "Block a handle",
  description:
    "Blocks a handle, and with it all handles of its account, also later ones. They can send you neither DMs nor knocks, and cannot add you to spaces. The handle may be retired.",
  auth: "key",
  fields: { handle: path(HandleName("The handle to block.")) },
  output: Blocked,
  errors: ["NOT_FOUND"],
});

const removeBlock = defineOperation({
  id: "blocks.remove",
  method: "DELETE",
  path: "/blocks/{handle}",
  summary: "Unblock a handle",
  description:
    "Removes the block that names a handle. Another block that names a handle of its account stays.",
  auth: "key",
  fields: { handle: path(HandleName("The handle to unblock.")) },
  output: Blocked,
  errors: ["NOT_FOUND"],
});

export const contactOperations = [listContacts, removeContact, listBlocks, addBlock, removeBlock] as const;
