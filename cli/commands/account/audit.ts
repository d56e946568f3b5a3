/** Declares `wireroom audit`, which lists the account's audit log. */
import type { AuditListInput } from "../../../sdk/src/index.js";
import { parseOwnHandleArgument } from "../../input/arguments.js";
import { parsePastTime } from "../../input/values.js";
import { AUDIT_COLUMNS, auditColumns } from "../../output/show/audit.js";
import { tabSeparated } from "../../output/table.js";
import type { Session } from "../../session.js";
import { operation } from "../operation.js";

/** A missing action does not compile. */
const ACTIONS: Readonly<Record<NonNullable<AuditListInput["action"]>, true>> = {
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
  "session.local": true,
  "ticket.issued": true,
  "sign_in.ended": true,
  "account.deleted": true,
  "operator.granted": true,
  "operator.revoked": true,
};

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
      choices: Object.keys(ACTIONS),
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
In a pipe, each line has these columns: id, time, actor, handle, action, subject, outcome, request id, reason.`,
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
