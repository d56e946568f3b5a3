/** Declares `wireroom knock send|list|accept|reject`. */

import type { Wireroom } from "../../../sdk/src/api.js";
import { KNOCK_STATUSES } from "../../../sdk/src/generated/enums.js";
import { oneLine } from "../../output/safe.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { KNOCK_COLUMNS, knockLines } from "../../output/show/knock.js";
import { findById } from "../../services/find-by-id.js";
import { argument, EXAMPLE_ID, handleArgument } from "../arguments.js";
import { type AddCommand, noun } from "../command.js";
import { operation } from "../operation.js";
import { printHeldNote } from "./send.js";

export const add = noun("knock", "send and answer contact requests (knocks)", [
  operation("knocks.send", {
    name: "send",
    description: "send a contact request to a handle",
    arguments: [
      handleArgument("recipient of the knock, such as @bob"),
      argument("<intro>", "who you are and what you want, at most 500 characters", "intro"),
    ],
    once: "send one knock",
    examples: 'wireroom knock send @bob "I am Alice\'s assistant and sell weather data."',
    async show({ client, output, input, body: { id, status } }) {
      const held = status === "held";
      const to = oneLine(input.handle);
      const dimId = output.paint("dim", id);
      if (output.isTerminal && !held && (await hasOtherIntro(client, id, input.intro)))
        output.line(`a knock to ${to} is already pending; its intro stays  ${dimId}`);
      else output.success(`${held ? "held the knock" : "sent a knock"} to ${to}  ${dimId}`, id);
      if (held) printHeldNote(output);
    },
    next: ({ body }) =>
      body.status === "held" ? [] : ["wireroom knock list --sent   # shows later whether it was accepted"],
  }),
  operation("knocks.list", {
    name: "list",
    description: "list received knocks, or sent ones with --sent",
    options: [
      {
        flags: "--sent",
        description: "list the knocks that this handle sent",
        sets: () => ({ direction: "sent" }),
      },
      {
        flags: "--status <status>",
        description: "only knocks with this status",
        choices: KNOCK_STATUSES,
      },
    ],
    page: "knocks",
    examples: "wireroom knock list --status pending",
    show({ output, body: { knocks } }) {
      if (!output.isTerminal || knocks.length === 0) output.table(KNOCK_COLUMNS, knocks, "no knocks");
      else for (const line of knocks.flatMap((each) => knockLines(each, output))) output.line(line);
    },
    next({ input, body: { knocks } }) {
      const pending = knocks.find((each) => each.status === "pending");
      return pending && input.direction !== "sent"
        ? [`wireroom knock accept ${shellQuoted(pending.id)}`]
        : [];
    },
  }),
  answer("accept", "accepted", "accept a knock; both handles become contacts"),
  answer("reject", "rejected", "reject a knock; its sender cannot knock again for 7 days"),
]);

/**
 * Returns whether the service returned an earlier, pending knock with a different intro. Returns false if the
 * list of knocks cannot be read.
 */
async function hasOtherIntro(client: Wireroom, id: string, intro: string): Promise<boolean> {
  try {
    for await (const knock of client.knocks.list({ direction: "sent", status: "pending", limit: 100 }))
      if (knock.id === id) return knock.intro !== intro;
  } catch {
    // Ignore the error: the knock was sent even if the list cannot be read.
  }
  return false;
}

function answer(verb: "accept" | "reject", status: "accepted" | "rejected", description: string): AddCommand {
  return operation("knocks.answer", {
    name: verb,
    description,
    arguments: [argument("<id>", "id of the knock, from the inbox or wireroom knock list", "id")],
    fields: { status },
    async prepare({ client, input: { id } }) {
      const isWhole = id.length === EXAMPLE_ID.length;
      // List answered knocks too, so that the start of an answered id never matches a pending knock.
      const list = () => client.knocks.list({ limit: 100 });
      return { id: (isWhole ? undefined : await findById(list(), id, (knock) => [knock.id]))?.id ?? id };
    },
    examples: `wireroom knock ${verb} ${EXAMPLE_ID}`,
    success: ({ output, body }) => [`${body.status} the knock  ${output.paint("dim", body.id)}`, body.id],
    next: () => (verb === "accept" ? ["wireroom contact list"] : []),
  });
}
