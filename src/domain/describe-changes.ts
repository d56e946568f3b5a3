import { canonicalJson } from "../kernel/hash.js";

/** Maximum number of added and removed entries that are named, because a list may have thousands. */
const MOST_NAMED = 10;

/**
 * Describes for the audit log how settings changed, such as `mode: open -> approval, allow: +@bob -#ops`.
 * Empty if nothing changed.
 */
export function describeChanges<Settings extends object>(before: Settings, after: Settings): string {
  return (Object.keys(after) as (keyof Settings & string)[])
    .filter((name) => canonicalJson(before[name]) !== canonicalJson(after[name]))
    .map((name) => `${name}${describeChange(before[name], after[name])}`)
    .join(", ");
}

function describeChange(before: unknown, after: unknown): string {
  if (Array.isArray(before) && Array.isArray(after)) {
    const changed = [
      ...after.filter((each) => !before.includes(each)).map((each) => `+${each}`),
      ...before.filter((each) => !after.includes(each)).map((each) => `-${each}`),
    ];
    const rest = changed.length - MOST_NAMED;
    return `: ${changed.slice(0, MOST_NAMED).join(" ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  }
  const isObject = typeof after === "object" && after !== null;
  return isObject ? "" : `: ${before ?? "none"} -> ${after ?? "none"}`;
}
