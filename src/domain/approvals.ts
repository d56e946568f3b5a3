/**
 * Rules of the approval queue, in which held wires and knocks wait for the answer of a human
 * (docs/specification/dashboard-operations.md#approvals).
 */

import { invalid } from "../contract/errors.js";
import type { ApprovalStatus } from "../contract/operations/approvals.js";
import type { Wire } from "../contract/shapes.js";

/**
 * Returns whether an answer changes the status of an approval. Returns false if the approval already has this
 * answer.
 * @throws VALIDATION_ERROR if the approval has the other answer, has expired or was withdrawn
 */
export function answerChangesApproval(status: ApprovalStatus, answer: "approved" | "rejected"): boolean {
  if (status === "pending") return true;
  if (status === answer) return false;
  throw invalid({
    instancePath: "/status",
    keyword: "status",
    message: `this approval is already ${status} and can no longer be ${answer}`,
  });
}

/** Returns the `status` that the sender sees on a wire that was not sent. */
export function unsentStatus(status: ApprovalStatus): NonNullable<Wire["status"]> {
  if (status === "pending") return "held";
  return status === "approved" ? "failed" : status;
}
