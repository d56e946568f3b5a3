/** Implements `wireroom approval …`. */

import {
  type Approval,
  type ApprovalsAnswerInput,
  type ApprovalsListInput,
  type WireroomDashboard,
  WireroomError,
} from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { parseOwnHandleArgument } from "../../input/arguments.js";
import { type PageFlags, printNextPageHint, readPages } from "../../input/pages.js";
import { errorFromEnvelope } from "../../output/errors.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { APPROVAL_COLUMNS, approvalFields, approvalLines } from "../../output/show/approval.js";
import { handleSlug } from "../../profiles/endpoint.js";
import type { Session } from "../../session.js";
import { consoleUrl } from "./console.js";

export interface ListFlags extends PageFlags {
  status?: ApprovalsListInput["status"];
  handle?: string;
}

export async function listApprovals(session: Session, flags: ListFlags): Promise<void> {
  const { output } = session;
  const { status, wait } = flags;
  if (wait !== undefined && status !== undefined && status !== "pending")
    throw new Failure("USAGE", `--wait cannot be combined with --status ${status}`);
  const handle = flags.handle === undefined ? undefined : parseOwnHandleArgument(session, flags.handle);
  const client = await session.dashboard();
  const body = await readPages(flags, "approvals", (page) =>
    client.approvals.list({ status, handle, ...page }),
  );
  const { approvals } = body;
  const pending = approvals.find((each) => each.status === "pending");
  const page =
    pending && output.isTerminal && !output.json
      ? await consoleUrl(session, `/approvals/${pending.id}`)
      : undefined;
  output.result(body, () => {
    if (!output.isTerminal || approvals.length === 0) {
      output.table(APPROVAL_COLUMNS, approvals, "no approvals");
    } else for (const line of approvals.flatMap((each) => approvalLines(each, output))) output.line(line);
    if (page !== undefined) output.note(`In the console: ${page}`);
    if (pending)
      output.nextSteps(
        `wireroom approval show ${shellQuoted(pending.id)}`,
        `wireroom approval approve ${shellQuoted(pending.id)}`,
      );
    const filter = `${status ? ` --status ${status}` : ""}${handle ? ` --handle @${handleSlug(handle)}` : ""}`;
    printNextPageHint(output, body, `wireroom approval list${filter}`, wait);
  });
}

/**
 * Prints one approval. The API has no operation for a single approval, so this function searches the list of
 * approvals.
 */
export async function showApproval(session: Session, id: string): Promise<void> {
  const { output } = session;
  const client = await session.dashboard();
  const found = await findApproval(client, id);
  if (found === undefined)
    throw new Failure("NOT_FOUND", "there is no approval with this id", [
      "List the approvals: wireroom approval list",
    ]);
  output.result(found, () => {
    output.fields(approvalFields(found, output.time));
    if (found.status === "pending")
      output.nextSteps(
        `wireroom approval approve ${shellQuoted(found.id)}`,
        `wireroom approval reject ${shellQuoted(found.id)}`,
      );
  });
}

/** Returns the approval with this id, or of the wire or knock with this id. */
async function findApproval(
  client: WireroomDashboard,
  id: string,
  status?: ApprovalsListInput["status"],
): Promise<Approval | undefined> {
  for await (const each of client.approvals.list({ status, limit: 100 }))
    if ([each.id, each.wire?.id, each.knock?.id].includes(id)) return each;
  return undefined;
}

/**
 * Answers the approval with this id, or the pending one of the wire or knock with this id, which `wireroom
 * send` prints.
 */
async function answerApproval(client: WireroomDashboard, input: ApprovalsAnswerInput): Promise<Approval> {
  try {
    return await client.approvals.answer(input);
  } catch (error) {
    if (!(error instanceof WireroomError) || error.code !== "NOT_FOUND") throw error;
    const found = await findApproval(client, input.id, "pending");
    if (found === undefined) throw error;
    return client.approvals.answer({ ...input, id: found.id });
  }
}

/**
 * Approves or rejects approvals one after the other. Stops and throws at the first error, or if an approved
 * wire or knock could not be sent.
 */
export async function decideApprovals(
  session: Session,
  status: "approved" | "rejected",
  ids: readonly string[],
  remember?: true,
): Promise<void> {
  const { output } = session;
  session.hintNames.approval = true;
  const client = await session.dashboard();
  let last: Approval | undefined;
  for (const id of ids) {
    last = await answerApproval(client, { id, status, remember });
    const { target, kind, error } = last;
    const decided = last;
    output.item(decided, () => {
      const what =
        status === "rejected" ? `rejected the ${kind} to ${target}` : `sent the ${kind} to ${target}`;
      if (error === null) output.success(`${what}  ${output.paint("dim", id)}`, id);
    });
    if (error)
      throw errorFromEnvelope(error, `the ${kind} to ${target} was approved but could not be sent: `);
  }
  if (last && remember) output.nextSteps(`wireroom egress show ${shellQuoted(`@${last.handle}`)}`);
}
