/** Who may change what of a space (specification, PUT /spaces/{slug}; decisions, section 6). */
import { invalid, WireroomError } from "../contract/errors.js";
import type { Role } from "../contract/fields.js";

export interface MemberChange {
  pk: number;
  slug: string;
  /** Role it has now; null for a stranger. */
  current: Role | null;
  role: "mod" | "poster" | "reader" | "remove";
}

/** Roles that a mod may give and take. */
const BELOW_MOD: readonly (Role | "remove" | null)[] = ["poster", "reader", "remove", null];

/** Naming the owner is a malformed request, whoever makes it. */
export function assertOwnerNotNamed(changes: readonly MemberChange[]): void {
  changes.forEach((change, index) => {
    if (change.current !== "owner") return;
    throw invalid({
      instancePath: `/members/${index}/handle`,
      keyword: "members",
      message: `@${change.slug} owns the space; the owner is changed by transfer_owner alone`,
    });
  });
}

/** Throws FORBIDDEN where `caller` may not make these changes. @param settings whether anything but members is changed */
export function assertMayChange(
  caller: { pk: number; role: Role | null },
  settings: boolean,
  changes: readonly MemberChange[],
): void {
  if (caller.role === "owner") return;
  if (settings) throw new WireroomError("FORBIDDEN", "only the owner may change a space or transfer it");
  const leavesAlone =
    changes.length > 0 && changes.every((change) => change.pk === caller.pk && change.role === "remove");
  if (leavesAlone) return;
  if (caller.role !== "mod")
    throw new WireroomError("FORBIDDEN", "only the owner and mods may manage a space");
  for (const change of changes) {
    if (change.pk === caller.pk && change.role === "remove") continue;
    if (BELOW_MOD.includes(change.role) && BELOW_MOD.includes(change.current)) continue;
    throw new WireroomError("FORBIDDEN", `a mod may manage posters and readers only, not @${change.slug}`);
  }
}
