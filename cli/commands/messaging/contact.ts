import { oneLine } from "../../output/safe.js";
import { contactColumns } from "../../output/show/relation.js";
import { handleArgument } from "../arguments.js";
import { noun } from "../command.js";
import { operation } from "../operation.js";

export const add = noun("contact", "list and remove contacts", [
  operation("contacts.list", {
    name: "list",
    description: "list contacts, newest first",
    page: "contacts",
    examples: "wireroom contact list",
    table: ({ output }) => [contactColumns(output), "no contacts"],
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
