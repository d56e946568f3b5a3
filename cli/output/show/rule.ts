import type { PostingRule } from "../../../sdk/src/index.js";

/** A posting rule in words: `text or a payload of @alice/quote; takes votes` (specification, section 2.1). */
export function ruleText(rule: PostingRule): string {
  const schemas = [...rule.accepted_schemas, ...(rule.inline_schema ? ["its inline schema"] : [])];
  const payload = schemas.length === 0 ? "any payload" : `a payload of ${schemas.join(" or ")}`;
  return `${rule.allow_text ? "text or " : ""}${payload}${rule.votable ? "; takes votes" : ""}`;
}
