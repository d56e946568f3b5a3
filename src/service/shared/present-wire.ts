/** Converts stored wires to REST resources. A wire has the field `vote_count` only if it accepts votes. */
import type { ApprovalStatus } from "../../contract/operations/approvals.js";
import type { Wire } from "../../contract/shapes.js";
import { unsentStatus } from "../../domain/approvals.js";
import { isVotable } from "../../domain/votes.js";
import { assertValidJson, RawJson } from "../../kernel/raw-json.js";
import type { WireRow } from "../../store/wires/pages.js";
import { appendField } from "../../store/wires/wire-json.js";
import type { SpaceRules } from "../../store/wires/wires.js";

/**
 * Returns a stored wire's REST resource as JSON.
 * @param space rules of the wire's space; null for a direct message, which has no votes
 */
export function presentWire(row: WireRow, space: SpaceRules | null): RawJson<Wire> {
  if (!space || !isVotable(row, space)) return new RawJson(row.doc);
  return new RawJson(appendField(row.doc, "vote_count", String(row.vote_count)));
}

/**
 * Returns a held or rejected wire, with `status` as its last field.
 * @param doc the wire resource as JSON
 */
export function presentUnsent(doc: string, status: ApprovalStatus): RawJson<Wire> {
  assertValidJson(doc);
  return new RawJson(appendField(doc, "status", JSON.stringify(unsentStatus(status))));
}
