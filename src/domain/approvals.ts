/**
 * Rules for answers to knocks and approvals. An approval is a held wire or knock that waits until a human
 * approves or rejects it (docs/specification/dashboard-operations.md#approvals).
 */

import { invalid } from "../contract/errors.js";
import type { ApprovalStatus } from "../contract/operations/approvals.js";
import type { Wire } from "../contract/shapes.js";

/**
 * Returns true if an answer changes the status of a knock or approval, and false if the knock or approval
 * already has this answer.
 * @throws VALIDATION_ERROR if it has another answer, has expired or was withdrawn
 */
export function answerChanges<Status extends string>(
  item: "knock" | "approval",
  status: Status,
  answer: NoInfer<Status>,
): boolean {
  if (status === "pending") return true;
  if (status === answer) return false;
  const message = `this ${item} is already ${status} and can no longer be ${answer}`;
  throw invalid({ instancePath: "/status", keyword: "status", message });
}

export function unsentStatus(status: ApprovalStatus): NonNullable<Wire["status"]> {
  if (status === "pending") return "held";
  return status === "approved" ? "failed" : status;
}
