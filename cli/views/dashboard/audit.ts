/** The account's audit log, newest entry first. */
import type { AuditEntry } from "../../../sdk/src/api.js";
import { type Noun, timeColumn } from "../list-detail/noun.js";
import { THEME } from "../styled-text/spans.js";
import type { Sources } from "./sources.js";

export const auditNoun = ({ human }: Sources): Noun<AuditEntry> => ({
  id: "audit",
  title: "Audit log",
  emptyText: "No entries yet.",
  idOf: ({ id }) => id,
  load: async (signal) => (await human.audit.list({ limit: 100 }, { signal })).entries,
  columns: [
    timeColumn("when", ({ at }) => at, 1),
    { title: "action", text: ({ action }) => action },
    { title: "subject", text: ({ subject }) => subject, style: THEME.name, flexible: true, minWidth: 24 },
    {
      title: "outcome",
      text: ({ outcome }) => outcome,
      style: ({ outcome }) => (outcome === "ok" ? THEME.good : {}),
      rank: 2,
    },
    { title: "by", text: ({ actor }) => actor, style: THEME.faint, flexible: true, rank: 3 },
  ],
  fields: ({ at, actor, handle, action, subject, outcome, reason, detail, request_id }) => [
    ["action", action],
    ["subject", subject],
    ["handle", handle ?? undefined],
    ["by", actor],
    ["detail", detail ?? undefined],
    ["outcome", outcome],
    ["reason", reason ?? undefined],
    ["at", at],
    ["request", request_id ?? undefined],
  ],
  actions: [],
});
