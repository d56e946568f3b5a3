import type { PostingRule } from "../../../sdk/src/api.js";

/** Formats a posting rule: `text or payload of @alice/quote; votes; claims`. */
export function ruleText(rule: PostingRule): string {
  const schemas = [...rule.accepted_schemas, ...(rule.inline_schema ? ["the inline schema"] : [])];
  const payload = schemas.length === 0 ? "any payload" : `payload of ${schemas.join(" or ")}`;
  return `${rule.allow_text ? "text or " : ""}${payload}${rule.votable ? "; votes" : ""}${rule.claimable ? "; claims" : ""}`;
}
