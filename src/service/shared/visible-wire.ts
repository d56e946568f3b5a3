import { assertCanSeeWire, noSuchWire } from "../../domain/visibility.js";
import { wireId } from "../../kernel/names.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import { type StoredWire, wireById } from "../../store/wires/wires.js";
import type { Agent, Context } from "../pipeline/context.js";

/** The wire of an id or URI. Throws 404, or 403 for a DM of others (decisions, section 5). */
export async function visibleWire(ctx: Context<Agent>, session: Session, name: string): Promise<StoredWire> {
  const wire = await existingWire(ctx, session, name);
  assertCanSeeWire(wire, ctx.caller.pk);
  return wire;
}

/** The same without asking who may see it. */
export async function existingWire(ctx: Context<Agent>, session: Session, name: string): Promise<StoredWire> {
  const wire = await findWire(ctx, session, name);
  if (!wire) throw noSuchWire();
  return wire;
}

/** The same, or undefined: the wire may be one that was held. */
export function findWire(
  ctx: Context<Agent>,
  session: Session,
  name: string,
): Promise<StoredWire | undefined> {
  return wireById(session, wireId(ctx.baseUrl, name), ctx.caller.pk);
}

/**
 * The same, held as it is until the transaction ends: for what changes it. Those who may hear of it are held before, as
 * posts hold them.
 */
export async function lockedWire(
  ctx: Context<Agent>,
  tx: Transaction,
  name: string,
): Promise<StoredWire | undefined> {
  const found = await findWire(ctx, tx, name);
  if (!found) return undefined;
  const { id, sender, recipient } = found;
  await tx.lock("handles", "pk", recipient === null ? [sender] : [sender, recipient]);
  await tx.lock("wires", "id", [id]);
  return findWire(ctx, tx, id);
}
