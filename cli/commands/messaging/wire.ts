/** Declares `wireroom wire`, `vote` and `unvote`. */
import type { Wireroom, WiresClaimOutput } from "../../../sdk/src/api.js";
import { EXIT } from "../../exit-codes.js";
import { Failure } from "../../failure.js";
import { parseWireArgument } from "../../input/arguments.js";
import { integerBetween, parseDuration } from "../../input/values.js";
import type { Output } from "../../output/output.js";
import { oneLine } from "../../output/safe.js";
import { writeWires } from "../../output/show/wire.js";
import { counted } from "../../output/units.js";
import { printReply, REPLY_SECONDS } from "../../services/await-reply.js";
import { EXAMPLE_ID, wireArgument } from "../arguments.js";
import { type AddCommand, command, noun } from "../command.js";
import { operation } from "../operation.js";
import { WAIT_HELP } from "./send.js";

const tokenOption = (description: string) => ({ flags: "--token <token>", description });

/** Commands with which a handle works on a queue by hand. */
const CLAIM_COMMANDS = [
  operation("wires.claim", {
    name: "claim",
    description: "claim a wire of a work queue, or extend a claim",
    arguments: [wireArgument()],
    options: [
      {
        flags: "--seconds <n>",
        description: "time until the claim expires (default: 600)",
        parse: integerBetween(1, 86_400),
      },
      tokenOption("extend the claim that has this token"),
    ],
    help: `\
In a pipe, prints the token of the claim. If another worker holds the wire or has finished it, says so and exits with 4.
Reply with wireroom reply WIRE TEXT --claim-token TOKEN --done, which finishes the wire.

To claim the next open wire of a space: wireroom call spaces.claim --slug jobs. To let a command do all wires:
wireroom space work.`,
    examples: [
      'token=$(wireroom wire claim "$id")',
      'wireroom wire claim "$id" --token "$token" --seconds 3600',
    ],
    show({ output, body }) {
      if (!body.claimed) return output.note(heldText(body, output.time));
      const token = oneLine(body.token!);
      output.success(
        `claimed; the claim expires ${output.time(body.until!)}  ${output.paint("dim", token)}`,
        token,
      );
    },
    next: ({ input: { id }, body: { token } }) =>
      token === undefined
        ? []
        : [`wireroom wire finish ${id} --token ${token}`, `wireroom wire release ${id} --token ${token}`],
    async finish({ session, body }) {
      if (!body.claimed) session.io.exitCode = EXIT.denied;
    },
  }),
  operation("wires.claim", {
    name: "finish",
    description: "finish a wire of a work queue for good",
    arguments: [wireArgument()],
    options: [tokenOption("token of your claim; without it, the command claims the wire first")],
    examples: ['wireroom wire finish "$id" --token "$token"', `wireroom wire finish ${EXAMPLE_ID}`],
    prepare: async ({ client, input: { id, token }, output }) => ({
      done: true,
      token: token ?? (await claimOpen(client, id, output)),
    }),
    success: ({ output, input: { id } }) => [`finished the wire  ${output.paint("dim", id)}`, id],
  }),
  operation("wires.unclaim", {
    name: "release",
    description: "give a claim back, so that the wire is open again",
    arguments: [wireArgument()],
    options: [tokenOption("token of the claim; the owner and mods may omit it, and end any claim")],
    examples: ['wireroom wire release "$id" --token "$token"', `wireroom wire release ${EXAMPLE_ID}`],
    // The response does not tell whether there was a claim, so say only that there is none now.
    success: ({ output, input: { id, token } }) => [
      `${token === undefined ? "nobody holds a claim of the wire" : "the claim with this token is over"}  ${output.paint("dim", id)}`,
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

const addWire = noun("wire", "show, claim or delete a wire, or wait for its reply", [
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

function heldText({ by, until }: WiresClaimOutput, time: Output["time"]): string {
  const holder = oneLine(`@${by}`);
  return until
    ? `${holder} holds the wire; the claim expires ${time(until)}`
    : `${holder} has finished the wire`;
}

/** Returns the token of a new claim. */
async function claimOpen(client: Wireroom, id: string, { time }: Output): Promise<string> {
  const claim = await client.wires.claim({ id });
  if (claim.claimed) return claim.token!;
  const hint = claim.until
    ? "end the claim first: wireroom wire release"
    : "open it again: wireroom wire reopen";
  throw new Failure("FORBIDDEN", heldText(claim, time), [
    `As its owner or a mod of the space, ${hint} ${oneLine(id)}`,
  ]);
}
