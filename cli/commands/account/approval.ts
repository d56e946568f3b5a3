/** Declares `wireroom approval`, with which a human decides which held wires and knocks are sent. */
import type { Command } from "commander";
import type { Approval, ApprovalsAnswerInput, WireroomDashboard } from "../../../sdk/src/api.js";
import { APPROVAL_STATUSES } from "../../../sdk/src/generated/enums.js";
import { Failure } from "../../failure.js";
import { parseOwnHandleArgument } from "../../input/arguments.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { findById } from "../../services/find-by-id.js";
import type { Session } from "../../session.js";
import { EXAMPLE_ID } from "../arguments.js";
import { command, noun } from "../command.js";
import { COMMAND, commandLine, EXEC } from "../messaging/watch.js";
import { operation } from "../operation.js";
import { consoleUrl } from "./console.js";

/** Imports the module only when a command needs it, because the module loads the SDK. */
const loadFormats = () => import("../../output/show/approval.js");

const SEVERAL = `Several ids are decided in order; the first error stops the command. --json prints one line per id.`;

const addShow = command({
  name: "show",
  description: "show one approval with the whole wire or knock",
  arguments: [{ usage: "<id>", description: "id of the approval, the wire or the knock" }],
  help: "With --json, prints the item in the form of wireroom approval list --json.",
  examples: `wireroom approval show ${EXAMPLE_ID}`,
  run: (session, _flags, id) => show(session, id!),
});

/** Searches the list, because `id` may also be the id of the wire or knock. */
async function show(session: Session, id: string): Promise<void> {
  const { output } = session;
  const found = await findApproval(await session.dashboard(), id);
  if (found === undefined)
    throw new Failure("NOT_FOUND", "there is no approval with this id", [
      "List the approvals: wireroom approval list",
    ]);
  const { approvalFields } = await loadFormats();
  if (output.json) return output.result(found, undefined, "approvals.list");
  output.fields(approvalFields(found, output.time));
  if (found.status === "pending")
    output.nextSteps(
      `wireroom approval approve ${shellQuoted(found.id)}`,
      `wireroom approval reject ${shellQuoted(found.id)}`,
    );
}

interface DecisionFlags {
  remember?: true;
  note?: string;
}

const noteOption = (command: Command) =>
  command.option(
    "--note <text>",
    "tell the handle why, in 1 to 500 characters; it arrives in the handle's inbox with the decision",
  );

const addApprove = command<DecisionFlags, [string[]]>({
  name: "approve",
  description: "send a held wire or knock now",
  arguments: [{ usage: "<id...>", description: "ids of the approvals, the wires or the knocks" }],
  options: (command) =>
    noteOption(
      command.option("--remember", "also add its target to the allow list, so that you are not asked again"),
    ),
  help: `All rules are checked again. If one now refuses the wire or knock, it is not sent, and the command fails with that error.\n${SEVERAL}`,
  examples: [`wireroom approval approve ${EXAMPLE_ID}`, `wireroom approval approve ${EXAMPLE_ID} --remember`],
  run: (session, flags, ids) => decide(session, "approved", ids, flags),
});

const addReject = command<DecisionFlags, [string[]]>({
  name: "reject",
  description: "reject a held wire or knock; it is not sent",
  arguments: [{ usage: "<id...>", description: "ids of the approvals, the wires or the knocks" }],
  options: noteOption,
  help: SEVERAL,
  examples: [
    `wireroom approval reject ${EXAMPLE_ID} \\\n      --note "Ask for the price first."`,
    "wireroom approval reject $(wireroom approval list --handle @alice \\\n      --status pending --all | cut -f 1)",
  ],
  run: (session, flags, ids) => decide(session, "rejected", ids, flags),
});

/** Stops at the first error, for example if an approved wire cannot be sent. */
async function decide(
  session: Session,
  status: "approved" | "rejected",
  ids: readonly string[],
  { remember, note }: DecisionFlags,
): Promise<void> {
  const { output } = session;
  session.hintNames.approval = true;
  const client = await session.dashboard();
  let last: Approval | undefined;
  for (const id of ids) {
    const decided = await answer(client, { id, status, remember, note });
    const { target, kind, error } = decided;
    const what = `${status === "rejected" ? "rejected" : "sent"} the ${kind} to ${target}`;
    const sentId = decided.wire?.id ?? decided.knock?.id ?? id;
    const show = () => output.success(`${what}  ${output.paint("dim", sentId)}`, id);
    if (output.json || error === null) output.item(decided, show, { operation: "approvals.answer" });
    if (error) {
      const { errorFromEnvelope } = await import("../../output/errors.js");
      throw errorFromEnvelope(error, `the ${kind} to ${target} was approved but could not be sent: `);
    }
    last = decided;
  }
  if (last && remember) output.nextSteps(`wireroom egress show ${shellQuoted(`@${last.handle}`)}`);
}

/** Answers an approval. `id` may also be the id of the held wire or knock, or the start of an id. */
async function answer(client: WireroomDashboard, input: ApprovalsAnswerInput): Promise<Approval> {
  try {
    return await client.approvals.answer(input);
  } catch (error) {
    const isUnknown = (error as { code?: unknown }).code === "NOT_FOUND";
    const found = isUnknown ? await findApproval(client, input.id) : undefined;
    if (found === undefined) throw error;
    return client.approvals.answer({ ...input, id: found.id });
  }
}

/** Searches answered approvals too, so that the start of an answered id never matches a pending approval. */
function findApproval(client: WireroomDashboard, id: string): Promise<Approval | undefined> {
  const idsOf = ({ id, wire, knock }: Approval) => [id, wire?.id, knock?.id];
  return findById(client.approvals.list({ limit: 100 }), id, idsOf);
}

const addWatch = command<{ exec?: string }, [string[]]>({
  name: "watch",
  description: "run a command for each wire or knock of your handles that waits for your approval",
  arguments: [COMMAND],
  options: (command) => command.option(...EXEC),
  help: `\
The command gets the approval as a JSON line on standard input, as approval list --json prints it, and these variables:
WIREROOM_ID, WIREROOM_KIND (wire or knock), WIREROOM_HANDLE, WIREROOM_TARGET, and WIREROOM_CONSOLE_URL, the page of the console on
which you decide.

A command that fails is run again, up to 4 times. It runs at least once for each approval, and can run twice if the machine or
the watch is killed. The watch keeps its position, so it goes on after a restart. One watch can run for an account.`,
  examples: [
    "wireroom approval watch -- ./notify",
    `wireroom approval watch --exec 'notify-send "$WIREROOM_CONSOLE_URL"'`,
  ],
  async run(session, { exec }, words) {
    const line = commandLine("approval watch", exec, words);
    const { watchApprovals } = await import("../../services/watch/approvals.js");
    await watchApprovals(session, line);
  },
});

export const add = noun("approval", "approve or reject what your handles want to send", [
  operation("approvals.list", {
    name: "list",
    description: "list approvals, pending ones first",
    options: [
      {
        flags: "--status <status>",
        description: "only approvals with this status",
        choices: APPROVAL_STATUSES,
      },
      {
        flags: "--handle <handle>",
        description: "only approvals of this handle of yours",
        sets: (name: string, session: Session) => ({ handle: parseOwnHandleArgument(session, name) }),
      },
    ],
    page: "approvals",
    help: `\
A pending approval expires after 14 days. It is withdrawn if the sender deletes the wire.
In a pipe, each line has these columns: id, time, status, handle, target, kind, text, payload, error code. The error code
is set if the wire or knock was approved but could not be sent.`,
    examples: [
      "wireroom approval list --status pending",
      "wireroom approval list --handle @alice --all --json",
    ],
    async show({ session, output, body: { approvals } }) {
      const { APPROVAL_COLUMNS, approvalLines } = await loadFormats();
      if (!output.isTerminal || approvals.length === 0)
        return output.table(APPROVAL_COLUMNS, approvals, "no approvals");
      for (const line of approvals.flatMap((each) => approvalLines(each, output))) output.line(line);
      const pending = approvals.find((each) => each.status === "pending");
      if (pending === undefined) return;
      const page = await consoleUrl(session, `/approvals/${pending.id}`);
      if (page !== undefined) output.note(`In the console: ${page}`);
    },
    next({ body: { approvals } }) {
      const pending = approvals.find((each) => each.status === "pending");
      const verbs = pending ? ["show", "approve"] : [];
      return verbs.map((verb) => `wireroom approval ${verb} ${shellQuoted(pending!.id)}`);
    },
  }),
  addShow,
  addApprove,
  addReject,
  addWatch,
]);
