/** What was done with the account, newest first. */
import type { AuditEntry } from "../../../../sdk/src/index.js";
import { relative } from "../../../output/units.js";
import { span } from "../../kit/spans.js";
import { THEME } from "../../kit/theme.js";
import { fieldLines } from "../fields.js";
import type { Pane } from "../pane.js";

export const auditPane: Pane<AuditEntry> = {
  id: "audit",
  title: "Audit log",
  idOf: ({ id }) => id,
  none: "Nothing yet.",
  load: async ({ human }, signal) => (await human.audit.list({ limit: 100 }, { signal })).entries,
  columns: (_sources, now) => [
    { title: "when", cell: ({ at }) => span(relative(at, now), THEME.faint) },
    { title: "what", cell: ({ action }) => span(action) },
    { title: "to", cell: ({ subject }) => span(subject, THEME.name), flexible: true },
    { title: "outcome", cell: ({ outcome }) => span(outcome, outcome === "ok" ? THEME.good : {}) },
    { title: "by", cell: ({ actor }) => span(actor, THEME.faint), flexible: true },
  ],
  detail: ({ at, actor, handle, action, subject, outcome, request_id }, _sources, _now, width) =>
    fieldLines(
      [
        ["action", action],
        ["subject", subject],
        ["handle", handle === null ? undefined : handle],
        ["by", actor],
        ["outcome", outcome],
        ["at", at],
        ["request", request_id ?? undefined],
      ],
      width,
    ),
  actions: [],
};
