import { type Command, Option } from "commander";
import { addPageOptions } from "../../input/pages.js";
import type { ListFlags } from "../../work/account/approvals.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

const load = () => import("../../work/account/approvals.js");

const ID = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";

/** `wireroom approval list|show|approve|reject`. */
export function addApprovalCommands(program: Command): void {
  const approval = program
    .command("approval")
    .helpGroup(HEADINGS.human)
    .description("what your handles want to send, and you are asked about (wireroom egress)");
  addList(approval);
  addShow(approval);
  addApprove(approval);
  addReject(approval);
}

function addList(approval: Command): void {
  addPageOptions(
    approval
      .command("list")
      .description("what is or was held: what waits for you first, newest first")
      .addOption(
        new Option("--status <status>", "only those in this state").choices([
          "pending",
          "approved",
          "rejected",
          "expired",
          "withdrawn",
        ]),
      )
      .option("--handle <handle>", "only those of this handle of yours"),
  )
    .addHelpText(
      "after",
      `
What nobody answers expires after 14 days; what its sender deletes meanwhile is withdrawn. In a pipe a line is
id, time, state, handle, target, kind, text, payload, and the code with which it was refused once approved.

Examples:
  $ wireroom approval list --status pending
  $ wireroom approval list --handle alice --all --json`,
    )
    .action(action<ListFlags, []>(async (session, flags) => (await load()).listApprovals(session, flags)));
}

function addShow(approval: Command): void {
  approval
    .command("show")
    .description("one of them, with all that would be sent")
    .argument("<id>", "its id, or that of the wire or knock")
    .addHelpText(
      "after",
      `
With --json it is the item as \`wireroom approval list --json\` has it.

Example:
  $ wireroom approval show ${ID}`,
    )
    .action(action(async (session, _flags, id) => (await load()).showApproval(session, id)));
}

const SEVERAL = `Several are answered in turn, up to the first that is refused. With --json each is a line.`;

function addApprove(approval: Command): void {
  approval
    .command("approve")
    .description("send what is held, at once")
    .argument("<id...>", "id of the approval")
    .option("--remember", "also put its target on the list allow, so that you are not asked again")
    .addHelpText(
      "after",
      `
It goes through all checks again. What is refused by then stays unsent: that is said, and the command ends with the code of
that error. ${SEVERAL}

Examples:
  $ wireroom approval approve ${ID}
  $ wireroom approval approve ${ID} --remember`,
    )
    .action(
      action<{ remember?: true }, [string[]]>(async (session, { remember }, ids) =>
        (await load()).answerApprovals(session, "approved", ids, remember),
      ),
    );
}

function addReject(approval: Command): void {
  approval
    .command("reject")
    .description("do not send what is held")
    .argument("<id...>", "id of the approval")
    .addHelpText(
      "after",
      `
${SEVERAL}

Examples:
  $ wireroom approval reject ${ID}
  $ wireroom approval reject $(wireroom approval list --status pending --handle alice --all | cut -f 1)`,
    )
    .action(
      action<object, [string[]]>(async (session, _flags, ids) =>
        (await load()).answerApprovals(session, "rejected", ids),
      ),
    );
}
