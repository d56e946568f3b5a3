/** The commands of `wireroom operator` that call the API as a handle that is an operator. */
import { type Command, Option } from "commander";
import { parseHandleArgument, parseWireArgument } from "../../input/arguments.js";
import { addBriefOption, addPageOptions, type BriefFlags, type PageFlags } from "../../input/pages.js";
import { oneLine } from "../../output/safe.js";
import type { HandlesFlags } from "../../services/operator/look-up.js";
import type { Session } from "../../session.js";
import { withSession } from "../with-session.js";

const load = () => import("../../services/operator/look-up.js");

/** Adds `handles`, `show-handle`, `wires` and `show-wire`. */
export function addLookupCommands(operator: Command): void {
  addPageOptions(
    operator
      .command("handles")
      .description("find handles of all accounts, newest first")
      .argument("[text]", "part of a handle or of its display name")
      .option("--suspended", "only suspended handles")
      .addOption(new Option("--not-suspended", "only handles that are not suspended").conflicts("suspended")),
  )
    .addHelpText(
      "after",
      "\nExamples:\n  $ wireroom operator handles mall\n  $ wireroom operator handles --suspended",
    )
    .action(
      withSession<HandlesFlags, [string | undefined]>(async (session, flags, text) =>
        (await load()).showHandles(session, flags, text),
      ),
    );
  operator
    .command("show-handle")
    .description("show any handle, with who suspended it and why")
    .argument("<handle>", "any handle, such as @mallory")
    .addHelpText("after", "\nExample:\n  $ wireroom operator show-handle @mallory")
    .action(withSession(async (session, _flags, name) => (await load()).showAnyHandle(session, name!)));
  addBriefOption(
    addPageOptions(
      operator
        .command("wires")
        .description("list the wires that a handle sent, newest first; its human sees it in the audit log")
        .argument("<sender>", "any handle, such as @mallory"),
    ),
  )
    .addHelpText("after", `${READ_HELP}\n\nExample:\n  $ wireroom operator wires @mallory --brief`)
    .action(
      withSession<PageFlags & BriefFlags, [string]>(async (session, flags, sender) =>
        (await load()).showWiresOf(session, flags, sender),
      ),
    );
  operator
    .command("show-wire")
    .description("show any wire; the humans concerned see it in their audit log")
    .argument("<wire>", "id or URI of the wire")
    .addHelpText(
      "after",
      `${READ_HELP}\n\nExample:\n  $ wireroom operator show-wire 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f`,
    )
    .action(withSession(async (session, _flags, name) => (await load()).showAnyWire(session, name!)));
}

const READ_HELP = `
Each call is logged for the humans who own the sender and, for a wire to a handle, the recipient. An operator may read 60 times
in 60 s.`;

interface ReasonFlags {
  reason?: string;
}

interface SuspensionFlags extends ReasonFlags {
  account?: true;
}

/** Adds `remove-wire`, `suspend` and `restore`. */
export function addModerationCommands(operator: Command): void {
  addRemoveWireCommand(operator);
  addSuspensionCommand(
    operator,
    "suspend",
    "suspend a handle: its API keys, access tokens and connections stop working; its wires stay",
  );
  addSuspensionCommand(operator, "restore", "end the suspension of a handle");
}

function addReasonOption(command: Command): Command {
  return command.option(
    "--reason <text>",
    "why, for the humans who own the handle and for your audit log; 1 to 500 characters",
  );
}

/** Returns the reason. Asks for it on a terminal, unless `--yes` is set; without an answer there is none. */
async function askForReason(
  { prompt, flags: { yes } }: Session,
  { reason }: ReasonFlags,
): Promise<string | undefined> {
  if (reason !== undefined || yes || !prompt.isAvailable) return reason;
  return (
    (await prompt.optionalText("Reason, for the audit logs (Enter for none)", "--reason TEXT")) || undefined
  );
}

function addRemoveWireCommand(operator: Command): void {
  addReasonOption(
    operator
      .command("remove-wire")
      .description("remove any wire permanently")
      .argument("<wire>", "id or URI of the wire"),
  )
    .addHelpText(
      "after",
      `
The sender gets a notice, and so does the recipient of a wire to a handle. The reason is in the audit logs of the sender and of
the operator. A wire that was removed before keeps its first reason.

Example:
  $ wireroom operator remove-wire 019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f \\
      --reason "sells stolen keys"`,
    )
    .action(
      withSession<ReasonFlags, [string]>(async (session, flags, name) => {
        const { output, prompt } = session;
        const client = await session.agent();
        const id = parseWireArgument(session, name);
        const reason = await askForReason(session, flags);
        await prompt.confirm(`Remove the wire ${oneLine(id)} permanently?`);
        const body = await client.operator.removeWire({ id, reason });
        output.result(body, () =>
          output.success(`removed the wire  ${output.paint("dim", body.id)}`, body.id),
        );
      }),
    );
}

function addSuspensionCommand(operator: Command, verb: "suspend" | "restore", description: string): void {
  addReasonOption(
    operator
      .command(verb)
      .description(description)
      .argument("<handle>", "any handle except the operator's own")
      .option("--account", ACCOUNT_OPTIONS[verb]),
  )
    .addHelpText(
      "after",
      `\nExample:\n  $ wireroom operator ${verb} @mallory --reason "${EXAMPLE_REASONS[verb]}"`,
    )
    .action(
      withSession<SuspensionFlags, [string]>(async (session, flags, name) => {
        const { output } = session;
        const client = await session.agent();
        const slug = parseHandleArgument(session, name);
        const suspended = verb === "suspend";
        const reason = suspended ? await askForReason(session, flags) : flags.reason;
        const body = await client.operator.setSuspended({ slug, suspended, account: flags.account, reason });
        output.result(body, () => {
          const subject = flags.account ? `the account of @${body.slug}` : `@${body.slug}`;
          output.success(`${subject} is ${body.suspended ? "suspended" : "no longer suspended"}`, body.slug);
          const option = flags.account ? " --account" : "";
          if (body.suspended) output.nextSteps(`wireroom operator restore @${body.slug}${option}`);
        });
      }),
    );
}

const ACCOUNT_OPTIONS = {
  suspend: "every handle of its account; the account gets no new handle until it is restored",
  restore: "every handle of its account",
};
const EXAMPLE_REASONS = { suspend: "floods #ops", restore: "promised to stop" };
