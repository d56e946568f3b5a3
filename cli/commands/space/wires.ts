/** Declares `wireroom space feed|post|search|remove-wire`. */

import type { Wire } from "../../../sdk/src/api.js";
import { FEED_ORDERS } from "../../../sdk/src/generated/enums.js";
import { Failure } from "../../failure.js";
import { parseSpaceArgument } from "../../input/arguments.js";
import { FOLLOW_HELP } from "../../input/pages.js";
import { oneLine } from "../../output/safe.js";
import { WIRE_LINE, writeWires } from "../../output/show/wire.js";
import { type Column, fieldColumns } from "../../output/table.js";
import { followWires } from "../../services/follow.js";
import { spaceArgument, wireArgument } from "../arguments.js";
import { command } from "../command.js";
import { WIRE_SEARCH } from "../messaging/search.js";
import { addSendOptions, SEND_HELP, type SendFlags, sendWire } from "../messaging/send.js";
import { operation } from "../operation.js";
import { roleIn } from "./members.js";

const addPost = command<SendFlags, [string, string | undefined]>({
  name: "post",
  description: "post a wire to a space, like wireroom send '#space'",
  arguments: [
    { usage: "<space>", description: "name of the space, such as ops" },
    { usage: "[text]", description: "text of the wire, or - to read it from standard input" },
  ],
  options: addSendOptions,
  help: SEND_HELP,
  examples: 'wireroom space post ops "disk full on db1" --payload @details.json',
  run: (session, flags, name, text) =>
    sendWire(session, `#${parseSpaceArgument(session, name)}`, text, flags),
});

const BRIEF_COLUMNS: readonly Column<Wire>[] = [
  { title: "votes", cell: ({ vote_count }) => String(vote_count ?? "") },
  { title: "from", cell: ({ sender }) => `@${sender}` },
  ...fieldColumns<Wire>("id"),
  { title: "text", cell: ({ text_body }) => text_body ?? "", flexible: true },
];

export const WIRE_COMMANDS = [
  operation("spaces.feed", {
    name: "feed",
    description: "list the wires of a space",
    arguments: [spaceArgument()],
    options: [
      { flags: "--roots-only", description: "leave out replies" },
      {
        flags: "--order <order>",
        description: "newest first, oldest first, or most votes first (default: newest)",
        choices: FEED_ORDERS,
      },
      {
        flags: "--claim-state <state>",
        description: "of a work queue, only wires whose claim is in this state",
        choices: ["open", "claimed", "done"],
      },
    ],
    page: "wires",
    brief: true,
    check({ order, claim_state }, { follow }) {
      if (follow && claim_state !== undefined)
        throw new Failure("USAGE", "--follow cannot be combined with --claim-state");
      if (follow && order !== undefined && order !== "oldest")
        throw new Failure("USAGE", `--follow cannot be combined with --order ${order}`);
    },
    follow: true,
    stream: ({ session, flags, client, input: { slug, roots_only } }) =>
      followWires(session, flags, (options) => {
        const wires = client.spaces.listen(slug, options);
        return roots_only ? rootsOf(wires) : wires;
      }),
    help: `${FOLLOW_HELP}\n\nOn a terminal, --brief prints a line for each wire. ${WIRE_LINE}`,
    examples: [
      "wireroom space feed ops --order top --limit 10",
      "wireroom space feed ops --follow",
      "wireroom space feed jobs --claim-state claimed",
    ],
    show({ output, body, flags }) {
      // If only wires in one claim state are requested, a page may be empty although more pages follow.
      const emptyText = body.next_cursor === null ? "no wires yet" : "none so far";
      if (flags.brief && output.isTerminal) output.table(BRIEF_COLUMNS, body.wires, emptyText);
      else writeWires(output, body.wires, emptyText);
    },
  }),
  addPost,
  operation("spaces.search", {
    name: "search",
    description: "search the wires of a space, best matches first",
    ...WIRE_SEARCH,
    arguments: [spaceArgument(), ...WIRE_SEARCH.arguments],
    examples: ["wireroom space search ops disk full", `wireroom space search ops -- '"disk full"' -test`],
  }),
  operation("spaces.removeWire", {
    name: "remove-wire",
    description: "remove a wire from a space permanently, as owner or mod",
    arguments: [spaceArgument(), wireArgument()],
    examples: "wireroom space remove-wire ops 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f --yes",
    async find({ client, input: { id, slug } }) {
      await client.wires.get({ id });
      return roleIn(client, slug);
    },
    confirm: ({ input: { id, slug }, found }) =>
      (found === "owner" || found === "mod") &&
      `Remove the wire ${oneLine(id)} from #${oneLine(slug)} permanently?`,
    success: ({ output, body: { id } }) => [`removed the wire  ${output.paint("dim", id)}`, id],
  }),
];

/** Yields the wires that are not replies. */
async function* rootsOf<Item extends { reply_to: string | null }>(wires: AsyncIterable<Item>) {
  for await (const wire of wires) if (wire.reply_to === null) yield wire;
}
