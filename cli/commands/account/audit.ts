/** Declares `wireroom audit`, which lists the account's audit log. */
import { AUDIT_ACTIONS } from "../../../sdk/src/generated/enums.js";
import { parseOwnHandleArgument } from "../../input/arguments.js";
import { among, parsePastTime } from "../../input/values.js";
import { AUDIT_COLUMNS, auditColumns } from "../../output/show/audit.js";
import { tabSeparated } from "../../output/table.js";
import type { Session } from "../../session.js";
import { operation } from "../operation.js";

export const add = operation("audit.list", {
  name: "audit",
  description: "list the audit log of your account, newest first",
  options: [
    {
      flags: "--handle <handle>",
      description: "only entries about this handle of yours",
      sets: (name: string, session: Session) => ({ handle: parseOwnHandleArgument(session, name) }),
    },
    {
      flags: "--action <action>",
      description: "only entries with this action",
      choices: AUDIT_ACTIONS,
    },
    {
      flags: "--except <action>",
      description: "only entries without this action, one of those of --action",
      parse: among(AUDIT_ACTIONS),
    },
    {
      flags: "--since <when>",
      description: "only entries since then: 12h, 7d or 4w ago, a date, or a date-time",
      parse: parsePastTime("start"),
    },
    {
      flags: "--until <when>",
      description: "only entries before then; a date includes the whole day",
      parse: parsePastTime("end"),
    },
  ],
  page: "entries",
  help: `\
Dates are in UTC. --all --json prints one entry per line as it arrives, which suits an export.
In a pipe, each line has these columns: id, time, actor, handle, action, subject, outcome, request id, reason, detail.`,
  examples: [
    "wireroom audit --since 7d",
    "wireroom audit --handle @alice --action egress.blocked",
    "wireroom audit --since 2026-01-01 --until 2026-01-31 \\\n      --all --json > january.jsonl",
  ],
  /** Prints each entry as it arrives, because a long audit log may not fit into memory. */
  async stream({ client, output, input, flags: { all, limit = 100, cursor } }) {
    if (!all || (output.isTerminal && !output.json)) return false;
    for await (const entry of client.audit.list({ ...input, limit, cursor }))
      await output.writeAndWait(
        output.json
          ? output.jsonLine(entry, { operation: "audit.list" })
          : `${tabSeparated(AUDIT_COLUMNS, [entry])}\n`,
      );
    return true;
  },
  table: ({ output, body: { entries } }) => [
    output.isTerminal ? auditColumns(output, entries) : AUDIT_COLUMNS,
    "no entries",
  ],
});
