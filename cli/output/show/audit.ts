import type { AuditEntry } from "../../../sdk/src/api.js";
import type { Output } from "../output.js";
import { type Column, fieldColumns } from "../table.js";

export function auditColumns(
  output: Pick<Output, "time">,
  entries: readonly AuditEntry[],
): readonly Column<AuditEntry>[] {
  const reason: Column<AuditEntry> = {
    title: "reason",
    cell: (entry) => entry.reason ?? "-",
    flexible: true,
  };
  return [
    { title: "time", cell: ({ at }) => output.time(at) },
    { title: "actor", cell: ({ actor }) => actor, flexible: true },
    { title: "action", cell: ({ action }) => action },
    { title: "handle", cell: ({ handle }) => (handle === null ? "-" : `@${handle}`), flexible: true },
    { title: "subject", cell: ({ subject }) => subject, flexible: true },
    { title: "outcome", cell: ({ outcome }) => outcome },
    // Entries from older daemons have no `reason`.
    ...(entries.some((entry) => entry.reason) ? [reason] : []),
  ];
}

export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = fieldColumns(
  ...(["id", "at", "actor", "handle", "action", "subject", "outcome", "request_id", "reason"] as const),
);
