/** `wireroom approval …` */
import type { Approval, ApprovalsListInput } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { ownNamed } from "../../input/names.js";
import { type PageFlags, readPages, sayMore } from "../../input/pages.js";
import { errorOf } from "../../output/errors.js";
import { APPROVAL_COLUMNS, approvalFields, approvalLines } from "../../output/show/approval.js";
import type { Session } from "../../session.js";

export interface ListFlags extends PageFlags {
  status?: ApprovalsListInput["status"];
  handle?: string;
}

export async function listApprovals(session: Session, flags: ListFlags): Promise<void> {
  const { output } = session;
  const { status } = flags;
  const handle = flags.handle === undefined ? undefined : ownNamed(session, flags.handle);
  const client = await session.dashboard();
  const body = await readPages(flags, "approvals", (page) =>
    client.approvals.list({ status, handle, ...page }),
  );
  const { approvals } = body;
  output.result(body, () => {
    if (!output.isTerminal || approvals.length === 0) {
      output.table(APPROVAL_COLUMNS, approvals, "nothing is or was held");
    } else for (const line of approvals.flatMap((each) => approvalLines(each, output))) output.line(line);
    const pending = approvals.find((each) => each.status === "pending");
    if (pending)
      output.next(`wireroom approval show ${pending.id}`, `wireroom approval approve ${pending.id}`);
    const filter = `${status ? ` --status ${status}` : ""}${handle ? ` --handle ${handle}` : ""}`;
    sayMore(output, body, `wireroom approval list${filter}`);
  });
}

/** Nothing fetches a single one, so it is looked for among all, where those that wait come first. */
export async function showApproval(session: Session, id: string): Promise<void> {
  const { output } = session;
  const client = await session.dashboard();
  for await (const each of client.approvals.listAll({ limit: 100 })) {
    if (![each.id, each.wire?.id, each.knock?.id].includes(id)) continue;
    output.result(each, () => {
      output.fields(approvalFields(each, output.time));
      if (each.status === "pending")
        output.next(`wireroom approval approve ${each.id}`, `wireroom approval reject ${each.id}`);
    });
    return;
  }
  throw new Failure("NOT_FOUND", "there is no approval of that id", [
    "See what there is: wireroom approval list",
  ]);
}

/** Answers one after the other. Throws at the first that is refused, and at the first that is approved but not sent. */
export async function answerApprovals(
  session: Session,
  status: "approved" | "rejected",
  ids: readonly string[],
  remember?: true,
): Promise<void> {
  const { output } = session;
  session.named.approval = true;
  const client = await session.dashboard();
  let last: Approval | undefined;
  for (const id of ids) {
    last = await client.approvals.answer({ id, status, remember });
    const { target, kind, error } = last;
    const answered = last;
    output.item(answered, () => {
      const what =
        status === "rejected" ? `rejected: the ${kind} to ${target} is not` : `the ${kind} to ${target} is`;
      if (error === null) output.done(`${what} sent  ${output.paint("dim", id)}`, id);
    });
    if (error)
      throw errorOf(error, `the ${kind} to ${target} is approved, but was refused and stays unsent: `);
  }
  if (last && remember) output.next(`wireroom egress show ${last.handle}`);
}
