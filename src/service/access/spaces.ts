/** Finds the space that a request names, and checks that the caller may read it. */
import type { SpaceTarget } from "../../domain/posting.js";
import { canReadSpace, noSuchSpace } from "../../domain/visibility.js";
import type { Session } from "../../store/engine/engine.js";
import { spaceTargets } from "../../store/posting/facts.js";
import { type StoredSpace, spaceBySlug } from "../../store/spaces.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";

export async function readableSpace(
  ctx: Context<Agent>,
  session: Session,
  slug: string,
): Promise<StoredSpace> {
  const space = await spaceBySlug(session, slug, ctx.caller.pk);
  if (!space || !canReadSpace({ visibility: space.resource.visibility, role: space.role }))
    throw noSuchSpace(slug);
  return space;
}

/**
 * Returns the space with this slug, for feeds and search. Throws 404 if the caller may not read it. Unlike
 * `readableSpace`, loads only some fields and shares a query with other requests' lookups.
 */
export async function readableSpaceBatched(ctx: Context<Agent>, slug: string): Promise<SpaceTarget> {
  const space = await ctx.store.engine.readBatched(spaceTargets, { handle: ctx.caller.pk, slug });
  if (!space || !canReadSpace(space)) throw noSuchSpace(slug);
  return space;
}
