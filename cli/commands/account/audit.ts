import { type Command, Option } from "commander";
import type { AuditListInput } from "../../../sdk/src/index.js";
import { addPageOptions } from "../../input/pages.js";
import { momentPast } from "../../input/values.js";
import type { AuditFlags } from "../../work/account/audit.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

type Action = NonNullable<AuditListInput["action"]>;

/** Every action once: a new one of the service's does not compile until it is here. */
const ACTIONS: Readonly<Record<Action, true>> = {
  "handle.created": true,
  "handle.retired": true,
  "handle.suspended": true,
  "handle.restored": true,
  "policy.changed": true,
  "key.issued": true,
  "key.revoked": true,
  "egress.changed": true,
  "egress.blocked": true,
  "approval.approved": true,
  "approval.rejected": true,
  "knock.answered": true,
  "wire.removed": true,
  "data.exported": true,
  "operator.granted": true,
  "operator.revoked": true,
};

/** `wireroom audit`: what was done with the account. */
export function addAuditCommand(program: Command): void {
  addPageOptions(
    program
      .command("audit")
      .helpGroup(HEADINGS.human)
      .description("what was done with your account, newest first")
      .option("--handle <handle>", "only what concerns this handle of yours")
      .addOption(new Option("--action <action>", "only this action").choices(Object.keys(ACTIONS)))
      .option(
        "--since <when>",
        "only from then on: 12h, 7d, 4w ago, a day, or a date-time",
        momentPast("start"),
      )
      .option("--until <when>", "only before then; a day counts whole", momentPast("end")),
  )
    .addHelpText(
      "after",
      `
Days are those of UTC. --all with --json is an export: an entry per line, as it comes in. In a pipe a line is
id, time, who, handle, action, on what, outcome, and id of the request.

Examples:
  $ wireroom audit --since 7d
  $ wireroom audit --handle alice --action egress.blocked
  $ wireroom audit --since 2026-01-01 --until 2026-01-31 --all --json > january.jsonl`,
    )
    .action(
      action<AuditFlags, []>(async (session, flags) =>
        (await import("../../work/account/audit.js")).showAudit(session, flags),
      ),
    );
}
