import { invalid, WireroomError } from "../../contract/errors.js";
import { completeRule } from "../../domain/posting.js";
import { noSuchHandle } from "../../domain/visibility.js";
import { now } from "../../kernel/clock.js";
import { handleSlug } from "../../kernel/names.js";
import { anyHandleBySlug } from "../../store/accounts/handles.js";
import { ownedSpaces, retireHandle } from "../../store/accounts/retirement.js";
import type { Session } from "../../store/engine/engine.js";
import { unlistEntity } from "../../store/entities.js";
import { recordAudit } from "../pipeline/audit.js";
import { write } from "../pipeline/handler.js";

const EMPTY = {
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
  const handle = await anyHandleBySlug(tx, slug);
  if (!handle) throw noSuchHandle(slug);
  if (handle.account !== ctx.caller.account.pk) {
    throw new WireroomError("FORBIDDEN", "this handle belongs to another account");
  }
  if (handle.retiredAt === null) {
    await assertOwnsNoSpace(tx, handle.pk);
    await retireHandle(tx, handle.pk, { ...EMPTY, tags: [] }, now());
    await unlistEntity(tx, "handle", slug);
    const { account, pk } = handle;
    recordAudit(ctx, tx, { account, handle: pk, action: "handle.retired", subject: `@${slug}` });
  }
  tx.publish({ topic: "standing", handle: handle.pk });
  return { slug, retired: true };
});

/** Spaces that are named in one refusal. */
const NAMED = 100;

/** A space without an owner could not be managed by anyone. Throws 400 that says which are to be transferred. */
async function assertOwnsNoSpace(session: Session, handle: number): Promise<void> {
  const spaces = await ownedSpaces(session, handle, NAMED);
  if (spaces.length === 0) return;
  throw invalid(
    spaces.map((space) => ({
      instancePath: "/slug",
      keyword: "owns_space",
      message: `owns #${space}: transfer it first, with PUT /spaces/${space} {"transfer_owner": "@…"} and the handle's key`,
    })),
  );
}
