/** Declares `wireroom wire`, `vote` and `unvote`. */
import type { Wireroom } from "../../../sdk/src/index.js";
import { parseWireArgument } from "../../input/arguments.js";
import { parseDuration } from "../../input/values.js";
import { oneLine } from "../../output/safe.js";
import { writeWires } from "../../output/show/wire.js";
import { printReply, REPLY_SECONDS } from "../../services/await-reply.js";
import { wireArgument } from "../arguments.js";
import { type AddCommand, command, noun } from "../command.js";
import { operation } from "../operation.js";
import { CLAIM_COMMANDS } from "./claims.js";
import { WAIT_HELP } from "./send.js";

const ID = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";

const addWire = noun("wire", "show, claim or delete a wire, or wait for its reply", [
  operation("wires.get", {
    name: "show",
    description: "show a wire",
    arguments: [wireArgument()],
    examples: `wireroom wire show ${ID} --json`,
    show: ({ output, body }) => writeWires(output, [body], ""),
  }),
  operation("wires.delete", {
    name: "delete",
    description:
      "permanently delete the text and payload of a wire that you sent; an empty entry (tombstone) remains",
    arguments: [wireArgument()],
    help: "With --yes, also deletes a wire in a private space that the handle has left.",
    examples: `wireroom wire delete ${ID} --yes`,
    find: async ({ client, input, flags }) => flags.yes === true || isOwnWire(client, input.id),
    confirm: ({ input, found }) => found && `Delete the wire ${oneLine(input.id)} permanently?`,
    success: ({ output, body: { id } }) => [`deleted the wire  ${output.paint("dim", id)}`, id],
  }),
  command<{ timeout: number }>({
    name: "wait",
    description: "wait for the reply to a wire that was sent, and print it",
    arguments: [{ usage: "<wire>", description: "id or URI of the wire" }],
    options: (command) =>
      command.option(
        "--timeout <time>",
        "how many seconds to wait; also 10m or 2h",
        parseDuration,
        REPLY_SECONDS,
      ),
    help: WAIT_HELP,
    examples: `wireroom wire wait ${ID} --timeout 10m`,
    run: async (session, { timeout }, wire) => {
      const id = parseWireArgument(session, wire);
      await printReply(session, await session.agent(), id, timeout);
    },
  }),
  ...CLAIM_COMMANDS,
]);

export const add = [addWire, vote("vote", "vote for a wire"), vote("unvote", "remove your vote")];

function vote(verb: "vote" | "unvote", description: string): AddCommand {
  return operation(`wires.${verb}`, {
    name: verb,
    description,
    arguments: [wireArgument()],
    examples: `wireroom ${verb} ${ID}`,
    success({ body: { voted, vote_count: count } }) {
      return [
        `${voted ? "voted" : "vote removed"}: ${count} ${count === 1 ? "vote" : "votes"} now`,
        `${count}`,
      ];
    },
  });
}

/** Fails if the handle cannot see the wire. */
async function isOwnWire({ wires, profile }: Wireroom, id: string): Promise<boolean> {
  const [{ sender }, { slug }] = await Promise.all([wires.get({ id }), profile.get()]);
  return sender === slug;
}
