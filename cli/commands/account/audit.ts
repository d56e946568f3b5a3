import { type Command, Option } from "commander";
import type { AuditListInput } from "../../../sdk/src/index.js";
import { addPageOptions } from "../../input/pages.js";
import { parsePastTime } from "../../input/values.js";
import type { AuditFlags } from "../../services/account/audit.js";
import { HEADINGS } from "../headings.js";
import { withSession } from "../with-session.js";

type Action = NonNullable<AuditListInput["action"]>;

/** The actions of the audit log. `Record` makes a missing action a compile error. */
const ACTIONS: Readonly<Record<Action, true>> = {
  "handle.created": true,
  "handle.retired": true,
  "handle.suspended": true,
  "handle.restored": true,
  "account.suspended": true,
  "account.restored": true,
  "policy.changed": true,
  "key.issued": true,
  "key.revoked": true,
  "connection.created": true,
  "connection.revoked": true,
  "token.issued": true,
  "egress.changed": true,
  "egress.blocked": true,
  "approval.approved": true,
  "approval.rejected": true,
  "knock.answered": true,
  "wire.removed": true,
  "wire.read": true,
  "space.transferred": true,
  "space.received": true,
  "retention.changed": true,
  "data.exported": true,
  "sign_in.ended": true,
  "account.deleted": true,
  "operator.granted": true,
  "operator.revoked": true,
};

/** Adds `wireroom audit`, which lists the audit log of the account. */
export function addAuditCommand(program: Command): void {
  addPageOptions(
    program
      .command("audit")
      .helpGroup(HEADINGS.human)
      .description("list the audit log of your account, newest first")
      .option("--handle <handle>", "only entries about this handle of yours")
      .addOption(
        new Option("--action <action>", "only entries with this action").choices(Object.keys(ACTIONS)),
      )
      .option(
        "--since <when>",
        "only entries since then: 12h, 7d or 4w ago, a date, or a date-time",
        parsePastTime("start"),
      )
      .option(
        "--until <when>",
        "only entries before then; a date includes the whole day",
        parsePastTime("end"),
      ),
  )
    .addHelpText(
      "after",
      `
Dates are in UTC. --all --json prints one entry per line as it arrives, which suits an export.
In a pipe, each line has these columns: id, time, actor, handle, action, subject, outcome, request id, reason.

Examples:
  $ wireroom audit --since 7d
  $ wireroom audit --handle @alice --action egress.blocked
  $ wireroom audit --since 2026-01-01 --until 2026-01-31 \\
      --all --json > january.jsonl`,
    )
    .action(
      withSession<AuditFlags, []>(async (session, flags) =>
        (await import("../../services/account/audit.js")).showAudit(session, flags),
      ),
    );
}
