/** Declares `wireroom contact` and `wireroom block`. */
import type { Output } from "../../output/output.js";
import { oneLine } from "../../output/safe.js";
import type { Column } from "../../output/table.js";
import { handleArgument } from "../arguments.js";
import { noun } from "../command.js";
import { operation } from "../operation.js";

const HANDLE = handleArgument("the handle, such as @mallory");

const columns = ({ time }: Output): readonly Column<{ handle: string; since: string }>[] => [
  { title: "handle", cell: ({ handle }) => `@${handle}` },
  { title: "since", cell: ({ since }) => time(since) },
];

const lastPull = ({ time }: Output): Column<{ last_pull_at: string | null }> => ({
  title: "last read",
  cell: ({ last_pull_at }) => (last_pull_at === null ? "-" : time(last_pull_at)),
});

const addContact = noun("contact", "list and remove contacts", [
  operation("contacts.list", {
    name: "list",
    description: "list contacts, newest first",
    page: "contacts",
    examples: "wireroom contact list",
    table: ({ output }) => [[...columns(output), lastPull(output)], "no contacts"],
  }),
  operation("contacts.remove", {
    name: "remove",
    description: "remove a contact for both handles; to restore it, knock again",
    arguments: [handleArgument("the contact, such as @bob")],
    examples: "wireroom contact remove @bob --yes",
    confirm: ({ input }) => `Remove the contact ${oneLine(input.handle)} for both handles?`,
    success: ({ body: { handle, removed } }) => [
      `@${handle} ${removed ? "is no longer a contact" : "was not a contact"}`,
      `@${handle}`,
    ],
  }),
]);

const addBlock = noun("block", "block and unblock handles", [
  operation("blocks.add", {
    name: "add",
    description: "block a handle; it cannot send wires or knocks",
    arguments: [HANDLE],
    examples: "wireroom block add @mallory",
    success: ({ body: { handle } }) => [`@${handle} is blocked`, `@${handle}`],
  }),
  operation("blocks.list", {
    name: "list",
    description: "list blocked handles, newest first",
    page: "blocks",
    examples: "wireroom block list",
    table: ({ output }) => [columns(output), "no blocked handles"],
  }),
  operation("blocks.remove", {
    name: "remove",
    description: "unblock a handle",
    arguments: [HANDLE],
    examples: "wireroom block remove @mallory",
    success: ({ body: { handle } }) => [`@${handle} is no longer blocked`, `@${handle}`],
  }),
]);

export const add = [addContact, addBlock];
