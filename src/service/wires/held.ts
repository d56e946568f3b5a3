/** Wires that were not sent: their sender alone sees them, and may take them back (decisions, section 9). */
import type { Tombstone, Wire } from "../../contract/shapes.js";
import { noSuchWire } from "../../domain/visibility.js";
import { isoTime, now } from "../../kernel/clock.js";
import { wireId } from "../../kernel/names.js";
import { heldWireById, replaceHeld, settleApproval } from "../../store/approvals.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import type { Agent, Context } from "../pipeline/context.js";
import { presentUnsent } from "../shared/present-wire.js";

/** The caller's unsent wire of that id or URI; undefined where it was sent meanwhile. Throws 404 where there is none. */
export async function unsentWire(ctx: Context<Agent>, session: Session, name: string) {
  const held = await heldWireById(session, wireId(ctx.baseUrl, name), ctx.caller.pk, now());
  if (!held) throw noSuchWire();
  return held.doc === null ? undefined : presentUnsent(held.doc, held.status);
}

/** Erases text and payload; one that still waits is withdrawn. Doing so again answers the same. */
export async function withdrawWire(
  ctx: Context<Agent>,
  tx: Transaction,
  name: string,
): Promise<{ id: string; tombstone: Tombstone }> {
  const at = now();
  const held = await heldWireById(tx, wireId(ctx.baseUrl, name), ctx.caller.pk, at);
  if (!held || held.doc === null) throw noSuchWire();
  const wire = JSON.parse(held.doc) as Wire;
  if (wire.tombstone) return { id: wire.id, tombstone: wire.tombstone };
  const tombstone: Tombstone = { removed_by: "sender", at: isoTime(at) };
  if (held.status === "pending") await settleApproval(tx, held.pk, "withdrawn", at);
  await replaceHeld(tx, held.pk, JSON.stringify({ ...wire, text_body: null, payload: null, tombstone }));
  return { id: wire.id, tombstone };
}
