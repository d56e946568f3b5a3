/** The audit log of the account, newest entry first. */
import type { AuditEntry } from "../../../../sdk/src/index.js";
import { relative } from "../../../output/units.js";
import { type Span, span } from "../../kit/text/spans.js";
import { THEME } from "../../kit/text/theme.js";
import { fieldLines } from "../fields.js";
import type { PaneDefinition } from "../pane-definition.js";

export const auditPane: PaneDefinition<AuditEntry> = {
  id: "audit",
  title: "Audit log",
  idOf: ({ id }) => id,
  emptyText: "No entries yet.",
  load: async ({ human }, signal) => (await human.audit.list({ limit: 100 }, { signal })).entries,
  columns: (_sources, now) => [
    { title: "when", cell: ({ at }) => span(relative(at, now), THEME.faint), dropRank: 1 },
    { title: "action", cell: ({ action }) => span(action) },
    { title: "subject", cell: ({ subject }) => span(subject, THEME.name), flexible: true, minWidth: 24 },
    { title: "outcome", cell: outcomeOf, dropRank: 2 },
    { title: "by", cell: ({ actor }) => span(actor, THEME.faint), flexible: true, dropRank: 3 },
  ],
  card: (entry, _sources, now) => [
    [span(entry.action), span("  "), outcomeOf(entry), span(`  ${relative(entry.at, now)}`, THEME.faint)],
    [span(entry.subject, THEME.name)],
  ],
  times: ({ at }) => [at],
  details: ({ at, actor, handle, action, subject, outcome, reason, request_id }, _sources, _now, width) =>
    fieldLines(
      [
        ["action", action],
        ["subject", subject],
        ["handle", handle ?? undefined],
        ["by", actor],
        ["outcome", outcome],
        ["reason", reason ?? undefined],
        ["at", at],
        ["request", request_id ?? undefined],
      ],
      width,
    ),
  actions: [],
};

function outcomeOf({ outcome }: AuditEntry): Span {
  return span(outcome, outcome === "ok" ? THEME.good : {});
}
