import type { SpaceDetail } from "../../contract/shapes.js";
import { canReadSpace, noSuchSpace } from "../../domain/visibility.js";
import type { Session } from "../../store/engine/engine.js";
import { memberCounts, type StoredSpace, spaceBySlug } from "../../store/spaces.js";
import { type SpaceTarget, spaceTargets } from "../../store/wires/post-facts.js";
import type { Agent, Context } from "../pipeline/context.js";

/** The space of a slug. Throws 404 where there is none or the caller may not read it. */
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

/** The same with what reading its wires needs alone, looked up for many callers at once. */
export async function spaceToRead(ctx: Context<Agent>, slug: string): Promise<SpaceTarget> {
  const space = await ctx.store.engine.readBatched(spaceTargets, { handle: ctx.caller.pk, slug });
  if (!space || !canReadSpace(space)) throw noSuchSpace(slug);
  return space;
}

export async function spaceDetail(session: Session, space: StoredSpace): Promise<SpaceDetail> {
  return { ...space.resource, member_counts: await memberCounts(session, space.pk) };
}
