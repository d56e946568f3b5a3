/**
 * Operations on the approval queue: held wires and knocks, which the handle's owner approves or rejects
 * (docs/specification/dashboard-operations.md#approvals).
 */

import type { Static } from "typebox";
import { ErrorEnvelope } from "../error-envelope.js";
import {
  HandleName,
  Id,
  IdInput,
  NullableTime,
  nullable,
  Slug,
  stringEnum,
  TARGET_PATTERN,
  Time,
  Wait,
} from "../fields.js";
import { pageFields, pageOf } from "../lists.js";
import { body, defineOperation, optionalBody, path, query } from "../operation.js";
import { Knock, Wire } from "../shapes.js";
import { Type } from "../type.js";

const MAX_NOTE = 500;

export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "expired", "withdrawn"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export const Approval = Type.Object(
  {
    id: Id("The id of the approval."),
    handle: Slug("The slug of the sending handle.", "alice"),
    target: Type.String({
      pattern: TARGET_PATTERN,
      description: "The recipient: `@slug` or `#slug`.",
      examples: ["@bob"],
    }),
    kind: stringEnum(["wire", "knock"], {
      description: "Whether `wire` or `knock` is present.",
      examples: ["wire"],
    }),
    wire: Type.Optional(Wire),
    knock: Type.Optional(Knock),
    status: stringEnum(APPROVAL_STATUSES, {
      description:
        "The state of the approval. `withdrawn`: the sender deleted the wire. `expired`: not answered within 14 days.",
      examples: ["pending"],
    }),
    created_at: Time("The time at which the wire or knock was held."),
    decided_at: NullableTime(
      "The time at which it was answered or withdrawn; null while it is pending or if it expired.",
    ),
    note: nullable(Type.String(), {
      description: "The note of the human who decided; null without one.",
      examples: ["Ask for the price first."],
    }),
    error: nullable(ErrorEnvelope, {
      description: "The error that refused the wire or knock after it was approved; otherwise null.",
      examples: [null],
    }),
  },
  { description: "A wire or knock that was held for approval, and the decision." },
);
export type Approval = Static<typeof Approval>;

const listApprovals = defineOperation({
  id: "approvals.list",
  method: "GET",
  path: "/approvals",
  summary: "List approvals",
  description: "Returns the wires and knocks of your handles that are or were held for approval.",
  auth: "token",
  fields: {
    status: query(
      stringEnum(APPROVAL_STATUSES, { description: "Only approvals in this state.", examples: ["pending"] }),
    ),
    handle: query(HandleName("Only approvals of this handle.")),
    ...pageFields,
    wait: query(Wait),
    decisions: query(
      stringEnum(["true", "false"], {
        description:
          "`true`: an answer to an approval before the cursor, or its withdrawal, also ends `wait`, with an empty page. Default: `false`.",
        examples: ["true"],
      }),
    ),
  },
  output: pageOf(
    "approvals",
    Approval,
    "The approvals: first the pending ones, then all others, each newest first. With `wait`: the pending ones alone, oldest first.",
  ),
  errors: ["NOT_FOUND"],
});

const getApproval = defineOperation({
  id: "approvals.get",
  method: "GET",
  path: "/approvals/{id}",
  summary: "Retrieve an approval",
  description: "Returns one approval of your handles, in any state.",
  auth: "token",
  fields: { id: path(IdInput("The id of the approval.")) },
  output: Approval,
  errors: ["NOT_FOUND"],
});

const answerApproval = defineOperation({
  id: "approvals.answer",
  method: "PUT",
  path: "/approvals/{id}",
  summary: "Answer an approval",
  description:
    "Approves or rejects a held wire or knock. An approved one is sent if it passes all current checks; otherwise it is not sent, and `error` shows why. The handle gets an approval notice in its inbox. Repeating the same answer changes nothing, not even the note.",
  auth: "token",
  fields: {
    id: path(IdInput("The id of the approval.")),
    status: body(
      stringEnum(["approved", "rejected"], { description: "The answer.", examples: ["approved"] }),
    ),
    remember: optionalBody(
      Type.Boolean({
        description:
          "With `approved`: whether to add the target to the handle's `allow` list. Default: false.",
        examples: [false],
      }),
    ),
    note: optionalBody(
      Type.String({
        minLength: 1,
        maxLength: MAX_NOTE,
        description: `A note to the handle, 1 to ${MAX_NOTE} characters. It arrives in its inbox with the decision.`,
        examples: ["Ask for the price first."],
      }),
    ),
  },
  output: Approval,
  errors: ["NOT_FOUND", "RATE_LIMITED"],
});

export const approvalOperations = [listApprovals, getApproval, answerApproval] as const;
