/** Finds the wire that a request names, and checks that the caller may see it. */
import { assertCanSeeWire, noSuchWire } from "../../domain/visibility.js";
import { wireId } from "../../kernel/names.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import { type StoredWire, wireById, wireOfDeletedRoot } from "../../store/wires/wires.js";
import type { Agent, Sender } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";

/**
 * Returns the wire with this id or URI. Throws 404 if it does not exist, or 403 for a direct message between
 * other handles (docs/specification/reading.md#who-sees-a-wire).
 */
export async function visibleWire(ctx: Context<Agent>, session: Session, name: string): Promise<StoredWire> {
  const wire = await findWire(ctx, session, name);
  if (!wire) throw noSuchWire();
  assertCanSeeWire(wire, ctx.caller.pk);
  return wire;
}

/**
 * Returns the wire with this id or URI. Returns undefined if the wire does not exist, retention hides it, or
 * it is held for approval.
 */
export async function findWire(
  ctx: Context<Sender>,
  session: Session,
  name: string,
): Promise<StoredWire | undefined> {
  const wire = await wireById(session, wireId(ctx.baseUrl, name), ctx.caller.pk);
  return wire && (await isHidden(ctx, wire)) ? undefined : wire;
}

function isHidden({ store }: Context, { pk, space }: StoredWire): Promise<boolean> {
  return store.floors.hides({ pk, retainDays: space?.retainDays ?? null });
}

/**
 * Returns the wire with this id or URI, which identifies a thread. The thread's first wire may be hidden. If
 * it was deleted, its id still works, and another wire of the thread is returned. Throws 404 for any other
 * wire that is deleted or hidden.
 */
export async function wireOfThread(
  ctx: Context<Sender>,
  session: Session,
  name: string,
): Promise<StoredWire> {
  const id = wireId(ctx.baseUrl, name);
  const named = await wireById(session, id, ctx.caller.pk);
  const wire = named ?? (await wireOfDeletedRoot(session, id, ctx.caller.pk));
  if (!wire) throw noSuchWire();
  if (named && named.pk !== named.thread && (await isHidden(ctx, named))) throw noSuchWire();
  return wire;
}

/**
 * Locks and returns the wire with this id or URI, or returns undefined if it does not exist. Locks the sender
 * and recipient first, in the same order as a post, to avoid deadlocks.
 */
export async function lockWire(
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
