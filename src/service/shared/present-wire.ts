/** A stored wire as a response carries it: `vote_count` is there exactly while the wire is votable. */
import type { ApprovalStatus } from "../../contract/operations/approvals.js";
import type { Wire } from "../../contract/shapes.js";
import { unsentStatus } from "../../domain/approvals.js";
import { isVotable } from "../../domain/votes.js";
import { Verbatim } from "../../kernel/verbatim.js";
import type { WireRow } from "../../store/wires/pages.js";
import type { SpaceRules } from "../../store/wires/wires.js";

/** @param space rules of the wire's space; null for a DM, on which nobody votes */
export function presentWire(row: WireRow, space: SpaceRules | null): Verbatim<Wire> {
  if (!space || !isVotable(row, space)) return new Verbatim(row.doc);
  return new Verbatim(`${row.doc.slice(0, -1)},"vote_count":${row.vote_count}}`);
}

/** A wire that was not sent, as its sender and its human see it. @param doc the Wire as JSON */
export function presentUnsent(doc: string, status: ApprovalStatus): Verbatim<Wire> {
  return new Verbatim(`${doc.slice(0, -1)},"status":"${unsentStatus(status)}"}`);
}
