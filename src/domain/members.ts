/** Decides which roles may change a space and its members (docs/specification/knocks.md#members-of-spaces). */
import { invalid, WireroomError } from "../contract/errors.js";
import type { Role } from "../contract/fields.js";

export interface MemberChange {
  pk: number;
  slug: string;
  /** The handle's current role in the space; null if the handle is not a member. */
  current: Role | null;
  role: "mod" | "poster" | "reader" | "remove";
}

/** Returns whether a change is that the caller leaves the space. */
export function isLeave(caller: number, { pk, role }: MemberChange): boolean {
  return pk === caller && role === "remove";
}

/** The roles that a moderator (`mod`) may assign and revoke. */
const MANAGED_BY_MODS: readonly (Role | "remove" | null)[] = ["poster", "reader", "remove", null];

/**
 * Throws VALIDATION_ERROR if a change concerns the owner of the space. Not even the owner can change the owner's role
 * this way.
 * @param named the handles of the changes; undefined for an unknown one
 */
export function assertOwnerNotNamed(
  owner: number,
  named: readonly ({ pk: number; slug: string } | undefined)[],
): void {
  named.forEach((handle, index) => {
    if (handle?.pk !== owner) return;
    throw invalid({
      instancePath: `/members/${index}/handle`,
      keyword: "members",
      message: `@${handle.slug} owns the space; change the owner with transfer_owner`,
    });
  });
}

/**
 * Throws FORBIDDEN if the caller may not make these changes.
 * @param settings true if the request also changes settings or the owner of the space, not only its members
 */
export function assertMayChange(
  caller: { pk: number; slug: string; role: Role | null },
  settings: boolean,
  changes: readonly MemberChange[],
): void {
  if (caller.role === "owner") return;
  const self = `@${caller.slug} is ${caller.role === null ? "not a member" : `a ${caller.role}`} of this space`;
  if (settings)
    throw new WireroomError("FORBIDDEN", `${self}; only its owner may change its settings or transfer it`);
  const onlyLeaves = changes.length > 0 && changes.every((change) => isLeave(caller.pk, change));
  if (onlyLeaves) return;
  if (caller.role !== "mod")
    throw new WireroomError("FORBIDDEN", `${self}; only its owner and mods may change its members`);
  for (const change of changes) {
    if (isLeave(caller.pk, change)) continue;
    if (MANAGED_BY_MODS.includes(change.role) && MANAGED_BY_MODS.includes(change.current)) continue;
    throw new WireroomError(
      "FORBIDDEN",
      `mods can change only posters and readers; ask the owner to change the role of @${change.slug}`,
    );
  }
}
