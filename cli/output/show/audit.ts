import type { AuditEntry } from "../../../sdk/src/api.js";
import type { Output } from "../output.js";
import { type Column, fieldColumns } from "../table.js";

export function auditColumns(
  output: Pick<Output, "time">,
  entries: readonly AuditEntry[],
): readonly Column<AuditEntry>[] {
  const ifAny = (name: "detail" | "reason"): Column<AuditEntry>[] =>
    entries.some((entry) => entry[name])
      ? [{ title: name, cell: (entry) => entry[name] ?? "-", flexible: true }]
      : [];
  return [
    { title: "time", cell: ({ at }) => output.time(at) },
    { title: "actor", cell: ({ actor }) => actor, flexible: true },
    { title: "action", cell: ({ action }) => action },
    { title: "handle", cell: ({ handle }) => (handle === null ? "-" : `@${handle}`), flexible: true },
    { title: "subject", cell: ({ subject }) => subject, flexible: true },
    { title: "outcome", cell: ({ outcome }) => outcome },
    ...ifAny("detail"),
    ...ifAny("reason"),
  ];
}

export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = fieldColumns(
  ...([
    "id",
    "at",
    "actor",
    "handle",
    "action",
    "subject",
    "outcome",
    "request_id",
    "reason",
    "detail",
  ] as const),
);
