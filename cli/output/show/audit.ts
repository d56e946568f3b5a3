/** Entries of the audit log. */
import type { AuditEntry } from "../../../sdk/src/index.js";
import type { Output } from "../output.js";
import type { Column } from "../table.js";

/** For a person: the request's id is what a script or a support case needs. */
export function auditColumns(output: Pick<Output, "time">): readonly Column<AuditEntry>[] {
  return [
    { title: "when", cell: ({ at }) => output.time(at) },
    { title: "by", cell: ({ actor }) => actor, flexible: true },
    { title: "what", cell: ({ action }) => action },
    { title: "handle", cell: ({ handle }) => (handle === null ? "-" : `@${handle}`), flexible: true },
    { title: "on", cell: ({ subject }) => subject, flexible: true },
    { title: "outcome", cell: ({ outcome }) => outcome },
  ];
}

/** An entry as a line for a script. */
export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "at", cell: ({ at }) => at },
  { title: "actor", cell: ({ actor }) => actor },
  { title: "handle", cell: ({ handle }) => handle ?? "" },
  { title: "action", cell: ({ action }) => action },
  { title: "subject", cell: ({ subject }) => subject },
  { title: "outcome", cell: ({ outcome }) => outcome },
  { title: "request_id", cell: ({ request_id }) => request_id ?? "" },
];
