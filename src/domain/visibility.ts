/** Who sees what (specification, 4.1; decisions, section 5). */
import { WireroomError } from "../contract/errors.js";
import type { Role } from "../contract/fields.js";
import type { Space } from "../contract/shapes.js";

/** A public space is read by every handle, a private one by its members. */
export function canReadSpace(space: { visibility: Space["visibility"]; role: Role | null }): boolean {
  return space.visibility === "public" || space.role !== null;
}

/** What a wire's visibility depends on. */
interface Seen {
  sender: number;
  recipient: number | null;
  space: { visibility: Space["visibility"]; role: Role | null } | null;
}

/** Throws as GET /wires/{id} does: 404 in a space that the caller cannot read, 403 for a DM of others. */
export function assertCanSeeWire(wire: Seen, handle: number): void {
  if (wire.space) {
    if (!canReadSpace(wire.space)) throw noSuchWire();
    return;
  }
  if (wire.sender !== handle && wire.recipient !== handle) {
    throw new WireroomError("FORBIDDEN", "only the sender and the recipient can see this wire");
  }
}

export function noSuchWire(): WireroomError {
  return new WireroomError("NOT_FOUND", "there is no wire of this id or URI");
}

/** A private space and one that does not exist answer alike to a non-member. */
export function noSuchSpace(slug: string): WireroomError {
  return new WireroomError("NOT_FOUND", `there is no space #${slug}, or it is private and you are no member`);
}

export function noSuchHandle(slug: string): WireroomError {
  return new WireroomError("NOT_FOUND", `there is no handle @${slug}`);
}
