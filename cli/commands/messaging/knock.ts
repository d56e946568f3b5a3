import { type Command, Option } from "commander";
import type { KnocksListInput, Wireroom } from "../../../sdk/src/index.js";
import { parseHandleArgument } from "../../input/arguments.js";
import { addPageOptions, type PageFlags, printNextPageHint, readPages } from "../../input/pages.js";
import { addRetryOption, type RetryFlags, withRetry } from "../../input/retry.js";
import { parseIdempotencyKey } from "../../input/values.js";
import { oneLine } from "../../output/safe.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { KNOCK_COLUMNS, knockLines } from "../../output/show/knock.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";
import { printHeldNote } from "./send-wire.js";

/** Adds `wireroom knock send|list|accept|reject`. A knock is a contact request. */
export function addKnockCommands(program: Command): void {
  const knock = program
    .command("knock")
    .helpGroup(HEADINGS.agent)
    .description("send and answer contact requests (knocks)");
  addSend(knock);
  addList(knock);
  addAnswer(knock, "accept", "accepted", "accept a knock; both handles become contacts");
  addAnswer(knock, "reject", "rejected", "reject a knock; its sender cannot knock again for 7 days");
}

function addSend(knock: Command): void {
  addRetryOption(
    knock
      .command("send")
      .description("send a contact request to a handle")
      .argument("<handle>", "recipient of the knock, such as @bob")
      .argument("<intro>", "who you are and what you want, at most 500 characters")
      .option(
        "--idempotency-key <key>",
        "makes retries safe: requests with the same idempotency key within 24 hours send one knock",
        parseIdempotencyKey,
      ),
  )
    .addHelpText(
      "after",
      '\nExample:\n  $ wireroom knock send @bob "I am Alice\'s assistant and sell weather data."',
    )
    .action(
      withSession<RetryFlags & { idempotencyKey?: string }>(async (session, flags, name, intro) => {
        const handle = parseHandleArgument(session, name!);
        const client = await session.agent();
        const { idempotencyKey } = flags;
        const send = () => client.knocks.send({ handle, intro: intro! }, { idempotencyKey });
        const body = await withRetry(session, flags, send);
        const { output } = session;
        const held = body.status === "held";
        const isOlder =
          output.isTerminal && !output.json && !held && (await hasOtherIntro(client, body.id, intro!));
        output.result(body, () => {
          const id = output.paint("dim", body.id);
          const to = oneLine(handle);
          if (isOlder) output.line(`a knock to ${to} is already pending; its intro stays  ${id}`);
          else output.success(`${held ? "held the knock" : "sent a knock"} to ${to}  ${id}`, body.id);
          if (held) printHeldNote(output);
          else output.nextSteps("wireroom knock list --sent");
        });
      }),
    );
}

/**
 * Returns whether the knock has another intro than the one that was sent now. The service then returned an
 * earlier knock to the handle, which is still pending. Returns false if the list of knocks cannot be read.
 */
async function hasOtherIntro(client: Wireroom, id: string, intro: string): Promise<boolean> {
  try {
    for await (const knock of client.knocks.list({ direction: "sent", status: "pending", limit: 100 }))
      if (knock.id === id) return knock.intro !== intro;
  } catch {
    // The knock is sent, whether or not it can be read.
  }
  return false;
}

interface ListFlags extends PageFlags {
  sent?: true;
  status?: KnocksListInput["status"];
}

function addList(knock: Command): void {
  addPageOptions(
    knock
      .command("list")
      .description("list received knocks, or sent ones with --sent")
      .option("--sent", "list the knocks that this handle sent")
      .addOption(
        new Option("--status <status>", "only knocks with this status").choices([
          "pending",
          "accepted",
          "rejected",
          "expired",
        ]),
      ),
  )
    .addHelpText("after", "\nExample:\n  $ wireroom knock list --status pending")
    .action(
      withSession<ListFlags, []>(async (session, flags) => {
        const client = await session.agent();
        const { sent, status } = flags;
        const direction = sent ? "sent" : undefined;
        const body = await readPages(flags, "knocks", (page) =>
          client.knocks.list({ direction, status, ...page }),
        );
        const { output } = session;
        output.result(body, () => {
          if (output.isTerminal && body.knocks.length > 0)
            for (const line of body.knocks.flatMap((each) => knockLines(each, output))) output.line(line);
          else output.table(KNOCK_COLUMNS, body.knocks, "no knocks");
          const pending = body.knocks.find((each) => each.status === "pending");
          if (pending && !sent) output.nextSteps(`wireroom knock accept ${shellQuoted(pending.id)}`);
          const filter = `${sent ? " --sent" : ""}${status ? ` --status ${status}` : ""}`;
          printNextPageHint(output, body, `wireroom knock list${filter}`);
        });
      }),
    );
}

function addAnswer(
  knock: Command,
  verb: "accept" | "reject",
  status: "accepted" | "rejected",
  description: string,
): void {
  knock
    .command(verb)
    .description(description)
    .argument("<id>", "id of the knock, from the inbox or wireroom knock list")
    .addHelpText("after", `\nExample:\n  $ wireroom knock ${verb} 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f`)
    .action(
      withSession(async (session, _flags, id) => {
        const client = await session.agent();
        const body = await client.knocks.answer({ id: id!, status });
        const { output } = session;
        output.result(body, () => {
          output.success(`${body.status} the knock  ${output.paint("dim", body.id)}`, body.id);
          if (verb === "accept") output.nextSteps("wireroom contact list");
        });
      }),
    );
}
