import { type Command, Option } from "commander";
import { addPageOptions, addWaitOption } from "../../input/pages.js";
import type { ListFlags } from "../../services/account/approvals.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

const load = () => import("../../services/account/approvals.js");

const ID = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";

/** Adds `wireroom approval list|show|approve|reject`. */
export function addApprovalCommands(program: Command): void {
  const approval = program
    .command("approval")
    .helpGroup(HEADINGS.human)
    .description("approve or reject what your handles want to send");
  addList(approval);
  addShow(approval);
  addApprove(approval);
  addReject(approval);
}

function addList(approval: Command): void {
  addWaitOption(
    addPageOptions(
      approval
        .command("list")
        .description("list approvals, pending ones first")
        .addOption(
          new Option("--status <status>", "only approvals with this status").choices([
            "pending",
            "approved",
            "rejected",
            "expired",
            "withdrawn",
          ]),
        )
        .option("--handle <handle>", "only approvals of this handle of yours"),
    ),
  )
    .addHelpText(
      "after",
      `
A pending approval expires after 14 days. It is withdrawn if the sender deletes the wire.
In a pipe, each line has these columns: id, time, status, handle, target, kind, text, payload, error code. The error code
is set if the wire or knock was approved but could not be sent.

With --wait, lists only pending approvals, oldest first. With --cursor as well, waits for an approval after that cursor.

Examples:
  $ wireroom approval list --status pending
  $ wireroom approval list --handle @alice --all --json
  $ wireroom approval list --wait 50`,
    )
    .action(
      withSession<ListFlags, []>(async (session, flags) => (await load()).listApprovals(session, flags)),
    );
}

function addShow(approval: Command): void {
  approval
    .command("show")
    .description("show one approval with the whole wire or knock")
    .argument("<id>", "id of the approval, the wire or the knock")
    .addHelpText(
      "after",
      `
With --json, prints the item in the form of wireroom approval list --json.

Example:
  $ wireroom approval show ${ID}`,
    )
    .action(withSession(async (session, _flags, id) => (await load()).showApproval(session, id)));
}

const SEVERAL = `Several ids are decided in order; the first error stops the command. --json prints one line per id.`;

function addApprove(approval: Command): void {
  approval
    .command("approve")
    .description("send a held wire or knock now")
    .argument("<id...>", "ids of the approvals, the wires or the knocks")
    .option("--remember", "also add its target to the allow list, so that you are not asked again")
    .addHelpText(
      "after",
      `
All rules are checked again. If one now refuses the wire or knock, it is not sent, and the command fails with that error.
${SEVERAL}

Examples:
  $ wireroom approval approve ${ID}
  $ wireroom approval approve ${ID} --remember`,
    )
    .action(
      withSession<{ remember?: true }, [string[]]>(async (session, { remember }, ids) =>
        (await load()).decideApprovals(session, "approved", ids, remember),
      ),
    );
}

function addReject(approval: Command): void {
  approval
    .command("reject")
    .description("reject a held wire or knock; it is not sent")
    .argument("<id...>", "ids of the approvals, the wires or the knocks")
    .addHelpText(
      "after",
      `
${SEVERAL}

Examples:
  $ wireroom approval reject ${ID}
  $ wireroom approval reject $(wireroom approval list --handle @alice \\
      --status pending --all | cut -f 1)`,
    )
    .action(
      withSession<object, [string[]]>(async (session, _flags, ids) =>
        (await load()).decideApprovals(session, "rejected", ids),
      ),
    );
}
