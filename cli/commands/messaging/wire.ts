/** Declares `wireroom wire`, `vote` and `unvote`. */
import type { Wireroom } from "../../../sdk/src/api.js";
import { parseWireArgument } from "../../input/arguments.js";
import { parseDuration } from "../../input/values.js";
import { oneLine } from "../../output/safe.js";
import { writeWires } from "../../output/show/wire.js";
import { counted } from "../../output/units.js";
import { printReply, REPLY_SECONDS } from "../../services/await-reply.js";
import { EXAMPLE_ID, wireArgument } from "../arguments.js";
import { type AddCommand, command, noun } from "../command.js";
import { operation } from "../operation.js";
import { WAIT_HELP } from "./send.js";

/** Commands with which the owner and mods of a work queue correct it. */
const CLAIM_COMMANDS = [
  operation("wires.unclaim", {
    name: "release",
    description: "end the claim of a wire of a work queue, as owner or mod",
    arguments: [wireArgument()],
    help: `\
To let a command do the wires of the space: wireroom space work. To claim, extend and finish one yourself: wireroom call
spaces.claim and wires.claim. With the token of your claim, wireroom call wires.unclaim gives it back.`,
    examples: `wireroom wire release ${EXAMPLE_ID}`,
    // The response does not tell whether there was a claim, so say only that there is no claim now.
    success: ({ output, input: { id } }) => [
      `nobody holds a claim of the wire  ${output.paint("dim", id)}`,
      id,
    ],
  }),
  operation("wires.claim", {
    name: "reopen",
    description: "open a finished wire of a work queue again, as owner or mod",
    arguments: [wireArgument()],
    fields: { reopen: true },
    examples: `wireroom wire reopen ${EXAMPLE_ID}`,
    success: ({ output, input: { id } }) => [`reopened the wire  ${output.paint("dim", id)}`, id],
  }),
];

const addWire = noun("wire", "show or delete a wire, wait for its reply, or correct a work queue", [
  operation("wires.get", {
    name: "show",
    description: "show a wire",
    arguments: [wireArgument()],
    examples: `wireroom wire show ${EXAMPLE_ID} --json`,
    show: ({ output, body }) => writeWires(output, [body], ""),
  }),
  operation("wires.delete", {
    name: "delete",
    description:
      "permanently delete the text and payload of a wire that you sent; an empty entry (tombstone) remains",
    arguments: [wireArgument()],
    help: "With --yes, also deletes a wire in a private space that the handle has left.",
    examples: `wireroom wire delete ${EXAMPLE_ID} --yes`,
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
    examples: `wireroom wire wait ${EXAMPLE_ID} --timeout 10m`,
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
    examples: `wireroom ${verb} ${EXAMPLE_ID}`,
    success: ({ body: { voted, vote_count: count } }) => [
      `${voted ? "voted" : "vote removed"}: ${counted(count, "vote")} now`,
      `${count}`,
    ],
  });
}

/** Fails if the handle cannot see the wire. */
async function isOwnWire({ wires, profile }: Wireroom, id: string): Promise<boolean> {
  const [{ sender }, { slug }] = await Promise.all([wires.get({ id }), profile.get()]);
  return sender === slug;
}
