/** The audit log of an account (decisions, section 9): who did what, on what, when, and how it went. */

import { Cursor, HandleName, NextCursor, nullable, oneOf, PageLimit, Slug, Time, Uuid } from "../fields.js";
import { defineOperation, query } from "../operation.js";
import { Type } from "../type.js";

/**
 * Everything that the log records, and what the subject of such an entry is. Entries never hold the text of messages, keys
 * or tokens.
 */
export const AUDIT_ACTIONS = {
  "handle.created": "the handle",
  "handle.retired": "the handle",
  "handle.suspended": "the handle",
  "handle.restored": "the handle",
  "policy.changed": "the handle whose contact policy or inbox rule changed",
  "key.issued": "the key",
  "key.revoked": "the key",
  "egress.changed": "the handle whose egress policy changed",
  "egress.blocked": "the target that the policy forbade",
  "approval.approved": "the approval",
  "approval.rejected": "the approval",
  "knock.answered": "the knock",
  "wire.removed": "the wire, removed by someone else than its sender",
  "data.exported": "the account",
  "operator.granted": "the handle",
  "operator.revoked": "the handle",
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
const ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** One entry of the log, as it is answered. */
export const AuditEntry = Type.Object(
  {
    id: Uuid("Id of the entry."),
    at: Time("When it happened."),
    actor: Type.String({
      description:
        "Who did it: `human` (the account's owner), `@slug` (a handle), or `host` (someone on the daemon's own machine).",
      examples: ["human"],
    }),
    handle: nullable(Slug("", "alice"), {
      description: "Which of the account's handles it concerns; null for the account as a whole.",
      examples: ["alice"],
    }),
    action: oneOf(ACTION_NAMES, { description: "What was done.", examples: ["key.issued"] }),
    subject: Type.String({
      description: "On what: `@slug`, or kind and id, such as `key:019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f`.",
      examples: ["key:019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"],
    }),
    outcome: Type.String({
      description: "`ok`, or the error code with which it was refused.",
      examples: ["ok"],
    }),
    request_id: nullable(Type.String(), {
      description:
        "`X-Request-Id` of the request that did it; null for what was done on the daemon's machine.",
      examples: ["019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"],
    }),
  },
  { description: "What was done with the account." },
);

const Moment = (description: string, example: string) =>
  Type.String({ format: "date-time", description, examples: [example] });

const listAudit = defineOperation({
  id: "audit.list",
  method: "GET",
  path: "/audit",
  summary: "What was done with the account",
  description: "Append-only, and written in the same transaction as what it records.",
  auth: "token",
  fields: {
    handle: query(HandleName("Only what concerns this handle of the account's.")),
    action: query(oneOf(ACTION_NAMES, { description: "Only this action.", examples: ["key.issued"] })),
    since: query(Moment("Only what happened at this time or later.", "2026-01-01T00:00:00Z")),
    until: query(Moment("Only what happened before this time.", "2026-02-01T00:00:00Z")),
    cursor: query(Cursor),
    limit: query(PageLimit),
  },
  output: Type.Object({
    entries: Type.Array(AuditEntry, { description: "Newest first.", examples: [[]] }),
    next_cursor: NextCursor,
  }),
  errors: ["NOT_FOUND"],
});

export const auditOperations = [listAudit] as const;
