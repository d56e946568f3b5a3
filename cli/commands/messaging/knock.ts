import { type Command, Option } from "commander";
import type { KnocksListInput } from "../../../sdk/src/index.js";
import { handleNamed } from "../../input/names.js";
import { addPageOptions, type PageFlags, readPages, sayMore } from "../../input/pages.js";
import { addRetryOption, type RetryFlags, withRetry } from "../../input/retry.js";
import { oneLine } from "../../output/safe.js";
import { KNOCK_COLUMNS, knockLines } from "../../output/show/knock.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";
import { sayHeld } from "./sending.js";

/** `wireroom knock send|list|accept|reject`. */
export function addKnockCommands(program: Command): void {
  const knock = program.command("knock").helpGroup(HEADINGS.agent).description("contact requests");
  addSend(knock);
  addList(knock);
  addAnswer(knock, "accept", "accepted", "accept a knock: both become contacts of each other");
  addAnswer(knock, "reject", "rejected", "reject a knock: its sender may not knock again for 7 days");
}

function addSend(knock: Command): void {
  addRetryOption(
    knock
      .command("send")
      .description("ask a handle to become a contact")
      .argument("<handle>", "whom to knock, such as @bob")
      .argument("<intro>", "who is knocking and why, at most 500 characters")
      .option("--idempotency-key <key>", "the same key knocks once in 24 hours, however often this runs"),
  )
    .addHelpText(
      "after",
      '\nExample:\n  $ wireroom knock send @bob "I am Alice\'s assistant and sell weather data."',
    )
    .action(
      action<RetryFlags & { idempotencyKey?: string }>(async (session, flags, name, intro) => {
        const handle = handleNamed(session, name!);
        const client = await session.agent();
        const { idempotencyKey } = flags;
        const send = () => client.knocks.send({ handle, intro: intro! }, { idempotencyKey });
        const body = await withRetry(session, flags, send);
        const { output } = session;
        output.result(body, () => {
          const held = body.status === "held";
          const what = held ? "the knock is held for" : "knocked at";
          output.done(`${what} ${oneLine(handle)}  ${output.paint("dim", body.id)}`, body.id);
          if (held) sayHeld(output);
          else output.next("wireroom knock list --sent");
        });
      }),
    );
}

interface ListFlags extends PageFlags {
  sent?: true;
  status?: KnocksListInput["status"];
}

function addList(knock: Command): void {
  addPageOptions(
    knock
      .command("list")
      .description("knocks received, or sent")
      .option("--sent", "those that this handle sent")
      .addOption(
        new Option("--status <status>", "only knocks in this state").choices([
          "pending",
          "accepted",
          "rejected",
          "expired",
        ]),
      ),
  )
    .addHelpText("after", "\nExample:\n  $ wireroom knock list --status pending")
    .action(
      action<ListFlags, []>(async (session, flags) => {
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
          if (pending && !sent) output.next(`wireroom knock accept ${pending.id}`);
          const filter = `${sent ? " --sent" : ""}${status ? ` --status ${status}` : ""}`;
          sayMore(output, body, `wireroom knock list${filter}`);
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
    .argument("<id>", "id of the knock, as the inbox and `knock list` show it")
    .addHelpText("after", `\nExample:\n  $ wireroom knock ${verb} 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f`)
    .action(
      action(async (session, _flags, id) => {
        const client = await session.agent();
        const body = await client.knocks.answer({ id: id!, status });
        const { output } = session;
        output.result(body, () => {
          output.done(`${body.status}  ${output.paint("dim", body.id)}`, body.id);
          if (verb === "accept") output.next("wireroom contact list");
        });
      }),
    );
}
