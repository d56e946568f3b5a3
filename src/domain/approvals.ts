/** What an answer to an approval changes (decisions, section 9). */

import { invalid } from "../contract/errors.js";
import type { ApprovalStatus } from "../contract/operations/approvals.js";
import type { Wire } from "../contract/shapes.js";

/** Whether an answer changes anything; the same one again does not. Throws 400 for another, and where it is too late. */
export function decisionChanges(status: ApprovalStatus, answer: "approved" | "rejected"): boolean {
  if (status === "pending") return true;
  if (status === answer) return false;
  throw invalid({
    instancePath: "/status",
    keyword: "status",
    message: `it is ${status} already and can no longer be ${answer}`,
  });
}

/** How a wire that was not sent shows itself to its sender. */
export function unsentStatus(status: ApprovalStatus): NonNullable<Wire["status"]> {
  if (status === "pending") return "held";
  return status === "approved" ? "failed" : status;
}
