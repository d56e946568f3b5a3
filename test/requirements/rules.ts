/** Requirements of docs/specification/rules.md, by the anchor of their section and by their id. */
export const rulesRequirements = {
  "which-rule-governs": {
    "D3-governs-root": "The root rule governs root wires of a space (`space_root`).",
    "D3-governs-reply":
      "A space reply is governed by the reply rule of its parent if the space allows it, else by that of the space.",
    "D3-governs-dm":
      "A DM wire is governed by the reply rule of its parent if the recipient set one, else by the inbox rule.",
    "D3-direct-replies": "The reply rule of a wire governs only direct replies to it.",
  },
  defaults: {
    "D3-rule-default": 'A rule that is not given is {"allow_text": true}.',
    "D3-space-defaults":
      "A new space accepts text from anyone and no reply rules of wires, unless the request says otherwise.",
  },
  "setting-a-rule": {
    "D3-ref-missing": "Setting a rule with an unknown ref is rejected with 400.",
    "D3-refs-max": "A rule accepts at most 20 refs.",
    "D3-inline-checked": "`inline_schema` must pass the same checks as a registered schema.",
    "D3-refs-checked": "Unknown refs and more than 20 refs are rejected with 400.",
    "D3-inline-as-registered": "An inline schema that could not be registered is rejected with 400.",
  },
  text: {
    "D3-text-denied":
      "Text under a rule with `allow_text: false` is rejected with 403 POSTING_DENIED and `rule_source`.",
    "D3-text-schemas":
      "The refusal of a text names the accepted schemas, has the first as `schema_ref`, and never shows the inline schema.",
  },
  payloads: {
    "D3-valid-under-one": "If the rule names schemas, a payload must be valid under at least one of them.",
    "D3-accepts-by-schema": "The schema that accepts a payload becomes its `schema_ref`, pinned.",
    "D3-first-accepts":
      "The first schema that accepts the payload becomes `schema_ref`: a pinned ref, or null for the inline schema.",
    "D3-none-accepts":
      "If no schema accepts the payload, the 422 carries `rule_source`, and `errors` and refs of the schema with the fewest errors.",
    "D3-payload-refused":
      "A rejected payload is a 422 with `rule_source`, `errors`, `schema_ref` and `schema_url`.",
    "D3-inline-no-ref": "`schema_ref` and `schema_url` are absent for an inline schema.",
    "D3-no-schema": "A rule that names no schema accepts every payload.",
    "D3-unpinned": "An unpinned ref means the latest version at the time of the post.",
    "S7-not-stored": "A post that its schema rejects is not stored, and may be corrected and sent again.",
    "S4.1-send-422": "POST /wires answers 422 if the schema of the governing rule rejects the payload.",
  },
  votes: {
    "S3.3-vote": "A first vote returns `voted: true` and the new count.",
    "S3.3-vote-again": "A second vote changes nothing and returns the same.",
    "S3.3-revoke": "Revoking a vote returns `voted: false` and the new count.",
    "S3.3-revoke-again": "Revoking again changes nothing and returns the same.",
    "S3.3-voting-disabled":
      "A vote on a DM wire, a removed wire or a wire that is not votable is rejected with 403 VOTING_DISABLED.",
    "S3.3-one-vote": "Each handle has one vote for each wire.",
    "D3-votable-now":
      "A space wire is votable, and shows `vote_count`, while the rule that governs it now is votable.",
    "D3-votable-reader": "Every handle that can read the space may vote, also on its own wires.",
    "D5-tombstone-votes": "A removed wire keeps its `vote_count` while it is votable.",
    "D5-votes-outlive": "Votes outlive a change of the rule.",
  },
} as const;
