/**
 * Operations on an account's audit log (docs/specification/dashboard-operations.md#audit-log). Each entry has
 * an actor, an action, a subject, a time and an outcome.
 */

import { HandleName, nullable, Slug, stringEnum, Time, TimeInput, Uuid } from "../fields.js";
import { pageFields, pageOf } from "../lists.js";
import { defineOperation, query } from "../operation.js";
import { Type } from "../type.js";

/**
 * Maps each audited action to the changed object. Audit entries never contain message texts, keys or tokens.
 */
export const AUDIT_ACTIONS = {
  "handle.created": "the handle",
  "handle.retired": "the handle",
  "handle.suspended": "the handle",
  "handle.restored": "the handle",
  "account.suspended": "the handle that the operator named, whose account was suspended",
  "account.restored": "the handle that the operator named, whose account was restored",
  "policy.changed": "the handle whose contact policy or inbox rule changed",
  "key.issued": "the key",
  "key.revoked": "the key",
  "connection.created": "the connection",
  "connection.revoked": "the connection",
  "token.issued": "the handle that the access token stands for",
  "egress.changed": "the handle whose egress policy changed",
  "egress.blocked": "the target, or the object of the change, that the policy forbade",
  "approval.approved": "the approval",
  "approval.rejected": "the approval",
  "knock.answered": "the knock",
  "wire.removed": "the wire, removed by someone other than its sender",
  "wire.read": "the wire that an operator read, or the handle whose sent wires the operator listed",
  "space.transferred": "the space that the handle gave away",
  "space.received": "the space that the handle now owns",
  "retention.changed": "the space whose `retain_days` changed",
  "data.exported": "the account",
  "session.local": "the account, to which a user of the daemon's machine signed in",
  "ticket.issued": "the account, to whose console a ticket leads",
  "sign_in.ended": "the sign-in",
  "account.deleted": "the account",
  "operator.granted": "the handle",
  "operator.revoked": "the handle",
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
export const ACTION_NAMES = Object.keys(AUDIT_ACTIONS) as AuditAction[];

export const AuditEntry = Type.Object(
  {
    id: Uuid("The id of the entry."),
    at: Time("The time of the action."),
    actor: Type.String({
      description:
        "Who acted: `human` (the owner of the account), `@slug` (a handle), or `host` (someone on the daemon's machine).",
      examples: ["human"],
    }),
    handle: nullable(Slug("", "alice"), {
      description: "The handle of the account that the entry concerns; null for the whole account.",
      examples: ["alice"],
    }),
    action: stringEnum(ACTION_NAMES, { description: "The action.", examples: ["key.issued"] }),
    subject: Type.String({
      description:
        "The object of the action: `@slug`, or kind and id, such as `key:019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f`.",
      examples: ["key:019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"],
    }),
    outcome: Type.String({
      description: "`ok`, or the code of the error that refused the action.",
      examples: ["ok"],
    }),
    reason: nullable(Type.String(), {
      description: "The reason that an operator gave; null if there is none.",
      examples: [null],
    }),
    detail: nullable(Type.String(), {
      description:
        "What the subject does not say: the other party, or what changed, such as `to @bob` or `mode: open -> approval`; null if there is nothing.",
      examples: [null],
    }),
    request_id: nullable(Type.String(), {
      description: "The `X-Request-Id` of the request; null if the action was done on the daemon's machine.",
      examples: ["019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f"],
    }),
  },
  { description: "One entry of the audit log of an account." },
);

const listAudit = defineOperation({
  id: "audit.list",
  method: "GET",
  path: "/audit",
  summary: "List audit log entries",
  description:
    "Returns the audit log of the account, newest first. Entries are never changed, and are deleted after 400 days; each is written in the same transaction as the action.",
  auth: "token",
  fields: {
    handle: query(HandleName("Only entries that concern this handle of the account.")),
    action: query(
      stringEnum(ACTION_NAMES, { description: "Only entries with this action.", examples: ["key.issued"] }),
    ),
    except: query(
      stringEnum(ACTION_NAMES, {
        description: "Only entries without this action.",
        examples: ["token.issued"],
      }),
    ),
    since: query(TimeInput("Only entries at or after this time.", "2026-01-01T00:00:00Z")),
    until: query(TimeInput("Only entries before this time.", "2026-02-01T00:00:00Z")),
    ...pageFields,
  },
  output: pageOf("entries", AuditEntry, "The entries, newest first."),
  errors: ["NOT_FOUND"],
});

export const auditOperations = [listAudit] as const;
