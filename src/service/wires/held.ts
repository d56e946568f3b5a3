/**
 * Handles wires that are held for approval or were rejected. Only the sender can see and withdraw them
 * (docs/specification/dashboard-operations.md#approvals).
 */
import type { Tombstone, Wire } from "../../contract/shapes.js";
import { noSuchWire } from "../../domain/visibility.js";
import { isoTime, now } from "../../kernel/clock.js";
import { wireId } from "../../kernel/names.js";
import {
  approvalByWireId,
  eraseUnsentWire,
  resolveApproval,
  type StoredApproval,
} from "../../store/approvals/approvals.js";
import type { Session, Transaction } from "../../store/engine/engine.js";
import { settleHeldReply } from "../../store/wires/claims.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";
import { presentApprovals } from "../reading/present-approvals.js";
import { presentUnsent } from "../reading/present-wire.js";

/**
 * Returns the caller's unsent wire with this id or URI, or undefined if the wire was sent. Throws 404 if the
 * wire does not exist or retention hides it.
 */
export async function unsentWire(ctx: Context<Agent>, session: Session, name: string) {
  const held = await heldWire(ctx, session, name, now());
  return held.doc === null ? undefined : presentUnsent(held.doc, held.status);
}

/**
 * Removes the text and payload of the caller's unsent wire, and withdraws the wire if its approval is still
 * pending. Repeating the call changes nothing.
 */
export async function withdrawWire(
  ctx: Context<Agent>,
  tx: Transaction,
  name: string,
): Promise<{ id: string; tombstone: Tombstone }> {
  const at = now();
  const held = await heldWire(ctx, tx, name, at);
  if (held.doc === null) throw noSuchWire();
  const wire = JSON.parse(held.doc) as Wire;
  if (wire.tombstone) return { id: wire.id, tombstone: wire.tombstone };
  const tombstone: Tombstone = { removed_by: "sender", at: isoTime(at) };
  if (held.status === "pending") {
    await resolveApproval(tx, held, "withdrawn", at);
    await settleHeldReply(tx, held.ref, false);
  }
  await eraseUnsentWire(tx, held, JSON.stringify({ ...wire, text_body: null, payload: null, tombstone }));
  return { id: wire.id, tombstone };
}

/**
 * Returns the approval of the caller's wire. Throws 404 if the wire has no approval, or retention hides the
 * unsent wire.
 */
async function heldWire(
  ctx: Context<Agent>,
  session: Session,
  name: string,
  at: number,
): Promise<StoredApproval> {
  const held = await approvalByWireId(session, wireId(ctx.baseUrl, name), ctx.caller.pk, at);
  if (!held) throw noSuchWire();
  if (held.doc === null) return held;
  const [shown] = await presentApprovals(ctx, session, [held], at);
  if (!shown) throw noSuchWire();
  return held;
}
