/** Formats an egress policy, which contains the rules for what a handle may send and publish. */
import type { EgressPolicy } from "../../../sdk/src/api.js";
import { own } from "../text.js";

/** For each mode: what happens to a wire or knock whose target is neither allowed nor denied. */
const OTHERS: Readonly<Record<EgressPolicy["mode"], string>> = {
  open: "sent",
  allowlist: "refused",
  approval: "held until you approve it",
};

export function policyFields(
  handle: string,
  { mode, allow, deny, publish }: EgressPolicy,
): [string, string][] {
  return [
    ["handle", `@${handle}`],
    ["mode", mode],
    ["allow", allow.join(", ") || "-"],
    ["deny", deny.join(", ") || "-"],
    ["other targets", own(OTHERS, mode) ?? mode],
    ["publish", publish === false ? "refused" : "allowed"],
  ];
}

/** Returns a summary such as `approval, 2 allowed, 1 denied, no publishing`. */
export function policyText({ mode, allow, deny, publish }: EgressPolicy): string {
  return [
    mode,
    ...(allow.length > 0 ? [`${allow.length} allowed`] : []),
    ...(deny.length > 0 ? [`${deny.length} denied`] : []),
    ...(publish === false ? ["no publishing"] : []),
  ].join(", ");
}
