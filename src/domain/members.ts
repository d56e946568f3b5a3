/**
 * Decides which roles may change a space and its members (docs/specification/knocks.md#members-of-spaces).
 */
import { invalid, WireroomError } from "../contract/errors.js";
import type { Role } from "../contract/fields.js";

export interface MemberChange {
  pk: number;
  slug: string;
  /** The handle's current role in the space; null if the handle is not a member. */
  current: Role | null;
  role: "mod" | "poster" | "reader" | "remove";
  consent: Consent;
}

/** Facts that decide whether the caller may make a handle a member, or the owner, of a space. */
export interface Consent {
  /** Whether the handle belongs to the account of the caller. */
  isOwn: boolean;
  isOpen: boolean;
  /** When the handle and the caller became contacts; null if they are not. */
  contactSince: number | null;
  hasBlocked: boolean;
  /** When the handle left the space by itself; null if it did not. */
  leftAt: number | null;
}

/** Returns whether a change is that the caller leaves the space. */
export function isLeave(caller: number, { pk, role }: MemberChange): boolean {
  return pk === caller && role === "remove";
}

/** The roles that a moderator (`mod`) may assign and revoke. */
const MANAGED_BY_MODS: readonly (Role | "remove" | null)[] = ["poster", "reader", "remove", null];

/**
 * Throws VALIDATION_ERROR if a change concerns the owner of the space. Not even the owner can change the
 * owner's role this way.
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

/**
 * Throws KNOCK_REQUIRED if a change adds a handle, or gives it another role, without its consent
 * (docs/specification/knocks.md#consent). Nobody needs consent to remove a member.
 */
export function assertConsent(space: string, changes: readonly MemberChange[]): void {
  for (const { slug, current, role, consent } of changes) {
    if (role === "remove" || role === current || consent.isOwn) continue;
    const { hasBlocked, leftAt, contactSince } = consent;
    const isWelcome = consent.isOpen || contactSince !== null;
    if (hasBlocked || !isWelcome) throw knockRequired(`@${slug} can be added to spaces only by its contacts`);
    // A contact of before has not consented since.
    if (leftAt !== null && (contactSince ?? 0) <= leftAt) {
      throw knockRequired(
        `@${slug} left #${space}; only a handle that has become its contact since can add it`,
      );
    }
  }
}

/** Throws VALIDATION_ERROR unless the new owner of a space is a member. */
export function assertHeirIsMember(space: string, slug: string, isMember: boolean): void {
  if (isMember) return;
  throw invalid({
    instancePath: "/transfer_owner",
    keyword: "transfer_owner",
    message: `@${slug} is not a member of #${space}; add it first`,
  });
}

/** Throws KNOCK_REQUIRED unless the new owner of a space is of the same account or a contact. */
export function assertHeirConsents(space: string, slug: string, consent: Consent): void {
  const { isOwn, hasBlocked, contactSince } = consent;
  if (isOwn || (contactSince !== null && !hasBlocked)) return;
  throw knockRequired(`#${space} can be transferred to @${slug} only by a contact of it`);
}

function knockRequired(message: string): WireroomError {
  return new WireroomError("KNOCK_REQUIRED", `${message}; send it a knock first`);
}
