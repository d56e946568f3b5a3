import type { Tombstone } from "../../contract/shapes.js";
import { now } from "../../kernel/clock.js";
import { handleByPk } from "../../store/accounts/handles.js";
import type { Transaction } from "../../store/engine/engine.js";
import { replaceWithTombstone, type StoredWire } from "../../store/wires/wires.js";
import { logAuditEventForBothAccounts, logAuditEvents } from "../pipeline/audit.js";
import type { Agent } from "../pipeline/caller.js";
import type { Context } from "../pipeline/context.js";

/**
 * Replaces a wire with a tombstone. A wire that is already removed keeps its first tombstone. Notifies the
 * recipient, and also the sender if another handle removed the wire
 * (docs/specification/reading.md#tombstones).
 * @param reason appears only in the audit log
 */
export async function removeWire(
  ctx: Context<Agent>,
  tx: Transaction,
  wire: StoredWire,
  removedBy: Tombstone["removed_by"],
  reason?: string,
): Promise<{ id: string; tombstone: Tombstone }> {
  if (wire.tombstone) return { id: wire.id, tombstone: wire.tombstone };
  const notify = new Set<number>();
  if (wire.recipient !== null) notify.add(wire.recipient);
  if (removedBy !== "sender") notify.add(wire.sender);
  const tombstone = await replaceWithTombstone(tx, wire, removedBy, now(), [...notify]);
  if (removedBy !== "sender") {
    const { account } = (await handleByPk(tx, wire.sender))!;
    const event = {
      account,
      handle: wire.sender,
      action: "wire.removed",
      subject: `wire:${wire.id}`,
      reason,
    } as const;
    (removedBy === "operator" ? logAuditEventForBothAccounts : logAuditEvents)(ctx, tx, event);
  }
  return { id: wire.id, tombstone };
}
