/** The approval queue: wires and knocks that wait for a human's answer (decisions, section 9). */

import type { Static } from "typebox";
import { ErrorEnvelope } from "../error-envelope.js";
import {
  Cursor,
  GivenId,
  HandleName,
  Id,
  NextCursor,
  NullableTime,
  nullable,
  oneOf,
  PageLimit,
  Slug,
  Time,
} from "../fields.js";
import { body, defineOperation, optionalBody, path, query } from "../operation.js";
import { Knock, Wire } from "../shapes.js";
import { Type } from "../type.js";

export const APPROVAL_STATUSES = ["pending", "approved", "rejected", "expired", "withdrawn"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export const Approval = Type.Object(
  {
    id: Id("Id of the approval."),
    handle: Slug("Handle that sends.", "alice"),
    target: Type.String({
      pattern: "^[@#][a-z0-9-]{3,32}$",
      description: "Where to: `@slug` or `#slug`.",
      examples: ["@bob"],
    }),
    kind: oneOf(["wire", "knock"], { description: "Which of the two fields is there.", examples: ["wire"] }),
    wire: Type.Optional(Wire),
    knock: Type.Optional(Knock),
    status: oneOf(APPROVAL_STATUSES, {
      description:
        "Of the question: `withdrawn` where the sender deleted the wire, `expired` after 14 days without an answer.",
      examples: ["pending"],
    }),
    created_at: Time("When it was held."),
    decided_at: NullableTime("When it was answered or withdrawn; null while pending or where it expired."),
    error: nullable(ErrorEnvelope, {
      description: "Why it could not be sent although it was approved; null otherwise.",
      examples: [null],
    }),
  },
  { description: "A wire or knock that was held, and what became of it." },
);
export type Approval = Static<typeof Approval>;

const listApprovals = defineOperation({
  id: "approvals.list",
  method: "GET",
  path: "/approvals",
  summary: "Wires and knocks that are or were held",
  auth: "token",
  fields: {
    status: query(
      oneOf(APPROVAL_STATUSES, { description: "Only those in this state.", examples: ["pending"] }),
    ),
    handle: query(HandleName("Only those of this handle of the caller's.")),
    cursor: query(Cursor),
    limit: query(PageLimit),
  },
  output: Type.Object({
    approvals: Type.Array(Approval, {
      description: "Pending ones first, each part newest first.",
      examples: [[]],
    }),
    next_cursor: NextCursor,
  }),
  errors: ["NOT_FOUND"],
});

const answerApproval = defineOperation({
  id: "approvals.answer",
  method: "PUT",
  path: "/approvals/{id}",
  summary: "Approve or reject what is held",
  description:
    "Approving sends it, once, through all checks as of now; what then refuses it is shown as `error`, and it stays unsent. The same answer again changes nothing.",
  auth: "token",
  fields: {
    id: path(GivenId("Id of the approval.")),
    status: body(oneOf(["approved", "rejected"], { description: "The answer.", examples: ["approved"] })),
    remember: optionalBody(
      Type.Boolean({
        description: "With `approved`: also puts the target on the handle's `allow`. False by default.",
        examples: [false],
      }),
    ),
  },
  output: Approval,
  errors: ["NOT_FOUND"],
});

export const approvalOperations = [listApprovals, answerApproval] as const;
