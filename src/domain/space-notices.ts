/** Decides which handles a wire in a space notifies (docs/specification/sending.md#mentions). */
import { WireroomError } from "../contract/errors.js";
import type { Handle, SpaceNotice } from "../contract/shapes.js";

/** A handle that a post mentions, or the sender of the wire that it replies to. */
export interface NotifiedHandle {
  pk: number;
  slug: string;
  reason: SpaceNotice["reason"];
  contactPolicy: Handle["contact_policy"];
  setting: Handle["space_notices"];
  canRead: boolean;
  isMember: boolean;
  /** Whether the sender is the handle's contact. Handles of the same account are always contacts. */
  isContact: boolean;
  /** Whether one of the two accounts has blocked the other. */
  isBlocked: boolean;
  /** Sequence number of the last inbox item; 0 for an empty inbox. */
  inboxHead: number;
}

/** Throws NOT_FOUND unless every mentioned handle exists and can read the space. */
export function assertMentionsReach(
  mentions: readonly string[],
  handles: readonly NotifiedHandle[],
  space: string,
): void {
  for (const slug of mentions) {
    if (handles.some((handle) => handle.reason === "mention" && handle.slug === slug && handle.canRead))
      continue;
    throw new WireroomError("NOT_FOUND", `@${slug} in mentions does not exist, or cannot read ${space}`);
  }
}

/** Returns at most one notice for each handle. A mention replaces the notice of a reply. */
export function spaceNotices(sender: number, handles: readonly NotifiedHandle[]): NotifiedHandle[] {
  const mentioned = new Set(handles.flatMap(({ reason, pk }) => (reason === "mention" ? [pk] : [])));
  return handles.filter((handle) => {
    if (handle.pk === sender || (handle.reason === "reply" && mentioned.has(handle.pk))) return false;
    return isWanted(handle) && handle.canRead && !handle.isBlocked;
  });
}

function isWanted({ reason, setting, contactPolicy, isContact, isMember }: NotifiedHandle): boolean {
  if (setting === "none" || (setting === "mentions" && reason === "reply")) return false;
  return contactPolicy === "open" || isContact || isMember;
}
