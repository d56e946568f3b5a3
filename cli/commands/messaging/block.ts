import { relationColumns } from "../../output/show/relation.js";
import { handleArgument } from "../arguments.js";
import { noun } from "../command.js";
import { operation } from "../operation.js";

const HANDLE = handleArgument("the handle, such as @mallory");

export const add = noun("block", "block and unblock handles", [
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
    table: ({ output }) => [relationColumns(output), "no blocked handles"],
  }),
  operation("blocks.remove", {
    name: "remove",
    description: "unblock a handle",
    arguments: [HANDLE],
    examples: "wireroom block remove @mallory",
    success: ({ body: { handle } }) => [`@${handle} is no longer blocked`, `@${handle}`],
  }),
]);
