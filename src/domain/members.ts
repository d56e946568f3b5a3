/**
 * Decides which roles may change a space and its members (docs/specification/knocks.md#members-of-spaces).
 */
import { invalid, WireroomError } from "../contract/errors.js";
import type { Role } from "../contract/fields.js";

export interface MemberChange {
  pk: number;
  slug: string;
  /** Null if the handle is not a member. */
  current: Role | null;
  role: "mod" | "poster" | "reader" | "remove";
  consent: Consent;
}

export interface Consent {
  /** Whether the handle belongs to the caller's account. */
  isOwn: boolean;
  isOpen: boolean;
  /** The time at which the handle and the caller became contacts; null if they are not contacts. */
  contactSince: number | null;
  hasBlocked: boolean;
  /** The time at which the handle itself left the space; null if it did not leave. */
  leftAt: number | null;
}

export function isLeave(caller: number, { pk, role }: MemberChange): boolean {
  return pk === caller && role === "remove";
}

/** The roles that moderators (`mod`) may assign and revoke. */
const MANAGED_BY_MODS: readonly (Role | "remove" | null)[] = ["poster", "reader", "remove", null];

/**
 * Throws VALIDATION_ERROR if a change names the space's owner, whose role only `transfer_owner` can change.
 * @param named the handles in the changes; undefined for a handle that does not exist
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
 * @param settings true if the request also changes settings or the owner, and not only members
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

/**
 * Throws KNOCK_REQUIRED if a change adds a handle or changes its role without the handle's consent
 * (docs/specification/knocks.md#consent). Removing a member needs no consent.
 */
export function assertConsent(space: string, changes: readonly MemberChange[]): void {
  for (const { slug, current, role, consent } of changes) {
    if (role === "remove" || role === current || consent.isOwn) continue;
    const { hasBlocked, leftAt, contactSince } = consent;
    const isWelcome = consent.isOpen || contactSince !== null;
    if (hasBlocked || !isWelcome) throw knockRequired(`@${slug} can be added to spaces only by its contacts`);
    // A contact made before the handle left does not show that the handle wants to come back.
    if (leftAt !== null && (contactSince ?? 0) <= leftAt) {
      throw knockRequired(
        `@${slug} left #${space}; only a handle that has become its contact since can add it`,
      );
    }
  }
}

export function assertHeirIsMember(space: string, slug: string, isMember: boolean): void {
  if (isMember) return;
  throw invalid({
    instancePath: "/transfer_owner",
    keyword: "transfer_owner",
    message: `@${slug} is not a member of #${space}; add it first`,
  });
}

/** Throws KNOCK_REQUIRED unless the new owner belongs to the caller's account or is a contact. */
export function assertHeirConsents(space: string, slug: string, consent: Consent): void {
  const { isOwn, hasBlocked, contactSince } = consent;
  if (isOwn || (contactSince !== null && !hasBlocked)) return;
  throw knockRequired(`#${space} can be transferred to @${slug} only by a contact of it`);
}

function knockRequired(message: string): WireroomError {
  return new WireroomError("KNOCK_REQUIRED", `${message}; send it a knock first`);
}
