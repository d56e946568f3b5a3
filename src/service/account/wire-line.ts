import type { ExportLine } from "../../contract/operations/account-export.js";
import type { PostingRule } from "../../contract/shapes.js";
import { Verbatim } from "../../kernel/verbatim.js";
import type { OwnedWire } from "../../store/accounts/owned.js";
import { presentWire } from "../shared/present-wire.js";

/** A wire as a line: the very JSON that a response carries, with its type in front. */
export function wireLine(wire: OwnedWire): Verbatim<Extract<ExportLine, { type: "wire" }>> {
  const { json } = presentWire(wire, rulesOf(wire));
  return new Verbatim(`{"type":"wire",${json.slice(1)}`);
}

function rulesOf(wire: OwnedWire) {
  if (wire.root_rule === null || wire.space_reply_rule === null) return null;
  return {
    rootRule: JSON.parse(wire.root_rule) as PostingRule,
    replyRule: JSON.parse(wire.space_reply_rule) as PostingRule,
    allowWireReplyRules: wire.allow_wire_reply_rules === 1,
  };
}
