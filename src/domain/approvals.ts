/**
 * Rules of the approval queue, where held wires and knocks wait until a human approves or rejects them
 * (docs/specification/dashboard-operations.md#approvals).
 */

import { invalid } from "../contract/errors.js";
import type { ApprovalStatus } from "../contract/operations/approvals.js";
import type { Wire } from "../contract/shapes.js";

/**
 * Returns true if an answer changes the approval's status, and false if the approval already has this answer.
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

/** Returns the `status` that the sender of an unsent wire sees. */
export function unsentStatus(status: ApprovalStatus): NonNullable<Wire["status"]> {
  if (status === "pending") return "held";
  return status === "approved" ? "failed" : status;
}
