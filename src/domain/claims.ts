/** Decides who may claim the wires of a space (docs/specification/rules.md#claims). */
import { WireroomError } from "../contract/errors.js";
import type { Role } from "../contract/fields.js";
import type { Space } from "../contract/shapes.js";
import { assertPostingRights, MEMBERS_WHO_POST, MODS } from "./posting.js";

interface ClaimedIn {
  slug: string;
  role: Role | null;
  postingRights: Space["posting_rights"];
}

/**
 * Throws POSTING_DENIED if the handle may not reply in the space, and FORBIDDEN if only members may claim.
 */
export function assertMayClaim(space: ClaimedIn): void {
  assertPostingRights(space, `#${space.slug}`);
  if (MEMBERS_WHO_POST.includes(space.role)) return;
  throw notAllowed(`only the owner, mods and posters of #${space.slug} may claim its wires`);
}

export function assertManagesClaims({ slug, role }: ClaimedIn, action: string): void {
  if (!MODS.includes(role)) throw notAllowed(`only the owner and mods of #${slug} may ${action}`);
}

export function notAllowed(message: string): WireroomError {
  return new WireroomError("FORBIDDEN", message);
}
