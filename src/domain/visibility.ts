/** Decides which handles can see a space or a wire (docs/specification/reading.md#who-sees-a-wire). */
import { WireroomError } from "../contract/errors.js";
import type { Role } from "../contract/fields.js";
import type { Space } from "../contract/shapes.js";

/** Every handle can read a public space, but only members can read a private space. */
export function canReadSpace(space: { visibility: Space["visibility"]; role: Role | null }): boolean {
  return space.visibility === "public" || space.role !== null;
}

interface WireAccess {
  sender: number;
  recipient: number | null;
  space: { visibility: Space["visibility"]; role: Role | null } | null;
}

/**
 * Throws NOT_FOUND if the wire is in a space that the handle cannot read, and FORBIDDEN if it is a DM between
 * other handles.
 */
export function assertCanSeeWire(wire: WireAccess, handle: number): void {
  if (wire.space) {
    if (!canReadSpace(wire.space)) throw noSuchWire();
    return;
  }
  if (wire.sender !== handle && wire.recipient !== handle) {
    throw new WireroomError("FORBIDDEN", "only the sender and the recipient can see this wire");
  }
}

export function noSuchWire(): WireroomError {
  return new WireroomError("NOT_FOUND", "there is no wire with this id or URI");
}

/**
 * Returns the error for a missing or private space. Both cases have the same error, so that non-members
 * cannot detect private spaces.
 */
export function noSuchSpace(slug: string): WireroomError {
  return new WireroomError(
    "NOT_FOUND",
    `there is no space #${slug}, or it is private and you are not a member`,
  );
}

export function noSuchHandle(slug: string): WireroomError {
  return new WireroomError("NOT_FOUND", `there is no handle @${slug}`);
}
