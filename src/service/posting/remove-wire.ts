import type { Tombstone } from "../../contract/shapes.js";
import { now } from "../../kernel/clock.js";
import { handleByPk } from "../../store/accounts/handles.js";
import type { Transaction } from "../../store/engine/engine.js";
import { type StoredWire, tombstoneWire } from "../../store/wires/wires.js";
import { recordAudit, recordAuditForBoth } from "../pipeline/audit.js";
import type { Agent, Context } from "../pipeline/context.js";

/**
 * Tombstones a wire; the first tombstone stands. Its recipient gets a notice, and its sender too where someone else removed
 * it (decisions, section 5).
 */
export async function removeWire(
  ctx: Context<Agent>,
  tx: Transaction,
  wire: StoredWire,
  removedBy: Tombstone["removed_by"],
): Promise<{ id: string; tombstone: Tombstone }> {
  if (wire.tombstone) return { id: wire.id, tombstone: wire.tombstone };
  const notify = new Set<number>();
  if (wire.recipient !== null) notify.add(wire.recipient);
  if (removedBy !== "sender") notify.add(wire.sender);
  const tombstone = await tombstoneWire(tx, wire, removedBy, now(), [...notify]);
  if (removedBy !== "sender") {
    const { account } = (await handleByPk(tx, wire.sender))!;
    const event = {
      account,
      handle: wire.sender,
      action: "wire.removed",
      subject: `wire:${wire.id}`,
    } as const;
    (removedBy === "operator" ? recordAuditForBoth : recordAudit)(ctx, tx, event);
  }
  return { id: wire.id, tombstone };
}
