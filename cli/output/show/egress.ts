/** An egress policy. */
import type { EgressPolicy } from "../../../sdk/src/index.js";

/** What happens to wires to a target on neither list. */
const OTHERS: Readonly<Record<EgressPolicy["mode"], string>> = {
  open: "are sent to",
  allowlist: "are refused",
  approval: "are held until you approve",
};

/** A policy, field by field. @param handle bare */
export function policyFields(handle: string, { mode, allow, deny }: EgressPolicy): [string, string][] {
  return [
    ["handle", `@${handle}`],
    ["mode", mode],
    ["allow", allow.join(", ") || "-"],
    ["deny", deny.join(", ") || "-"],
    ["others", OTHERS[mode] ?? mode],
  ];
}

/** A policy in a few words: `approval, 2 allowed, 1 denied`. */
export function policyText({ mode, allow, deny }: EgressPolicy): string {
  return [
    mode,
    ...(allow.length > 0 ? [`${allow.length} allowed`] : []),
    ...(deny.length > 0 ? [`${deny.length} denied`] : []),
  ].join(", ");
}
