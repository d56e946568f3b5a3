import { invalid, WireroomError } from "../../contract/errors.js";
import { completeRule } from "../../domain/posting.js";
import { noSuchHandle } from "../../domain/visibility.js";
import { now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import { endConnectionsOfHandle } from "../../store/accounts/connections.js";
import { handleBySlugIncludingRetired } from "../../store/accounts/handles.js";
import { ownedSpaces, retireHandle } from "../../store/accounts/retirement.js";
import type { Session } from "../../store/engine/engine.js";
import { deleteEntity } from "../../store/entities.js";
import { logAuditEvents } from "../pipeline/audit.js";
import { write } from "../pipeline/handler.js";
import { connectionEvent } from "../shared/connection-event.js";

/** The profile fields of a retired handle (docs/specification/dashboard-operations.md#retiring-a-handle). */
const EMPTY_PROFILE = {
  display_name: null,
  bio: null,
  tags: [],
  discoverable: false,
  contact_policy: "contacts_only",
  inbox_rule: completeRule(undefined),
} as const;

export const retireHandleHandler = write("handles.retire", async (ctx, input, tx) => {
  const slug = handleSlug(input.slug);
  await tx.lock("handles", "slug", [slug]);
  const handle = await handleBySlugIncludingRetired(tx, slug);
  if (!handle) throw noSuchHandle(slug);
  if (handle.account !== ctx.caller.account.pk) {
    throw new WireroomError("FORBIDDEN", `the handle @${slug} belongs to another account`);
  }
  if (handle.retiredAt === null) {
    await assertOwnsNoSpace(tx, handle.pk);
    await retireHandle(tx, handle.pk, { ...EMPTY_PROFILE, tags: [] }, now());
    await deleteEntity(tx, "handle", slug);
    const { account, pk } = handle;
    const ended = await endConnectionsOfHandle(tx, pk, now());
    logAuditEvents(
      ctx,
      tx,
      { account, handle: pk, action: "handle.retired", subject: `@${slug}` },
      ...ended.map((connection) => connectionEvent("connection.revoked", connection)),
    );
  }
  tx.publish({ topic: "status", handle: handle.pk });
  return { slug, retired: true };
});

/** Maximum number of spaces that one error lists. */
const MAX_LISTED_SPACES = 100;

/**
 * Throws 400 if the handle owns spaces, because a space without an owner could not be managed. The error lists the spaces to
 * transfer first.
 */
async function assertOwnsNoSpace(session: Session, handle: number): Promise<void> {
  const spaces = await ownedSpaces(session, handle, MAX_LISTED_SPACES);
  if (spaces.length === 0) return;
  throw invalid(
    spaces.map((space) => ({
      instancePath: "/slug",
      keyword: "owns_space",
      message: `the handle owns #${space}; with the handle's key, transfer the space to another handle first`,
    })),
  );
}
