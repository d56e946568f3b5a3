import type { ExportLine } from "../../contract/operations/account-export.js";
import type { PostingRule } from "../../contract/shapes.js";
import { jsonToString, RawJson } from "../../kernel/raw-json.js";
import type { OwnedWire } from "../../store/accounts/owned.js";
import { prependField } from "../../store/wires/wire-json.js";
import { presentWire } from "../shared/present-wire.js";

/** Returns a wire as an export line: the REST resource's JSON, with `"type":"wire"` as the first field. */
export function toWireLine(
  wire: OwnedWire & { doc: string },
): RawJson<Extract<ExportLine, { type: "wire" }>> {
  const json = jsonToString(presentWire(wire, rulesOf(wire)).json);
  return new RawJson(prependField(json, "type", '"wire"'));
}

function rulesOf(wire: OwnedWire) {
  if (wire.root_rule === null || wire.space_reply_rule === null) return null;
  return {
    rootRule: JSON.parse(wire.root_rule) as PostingRule,
    replyRule: JSON.parse(wire.space_reply_rule) as PostingRule,
    allowWireReplyRules: wire.allow_wire_reply_rules === 1,
  };
}
