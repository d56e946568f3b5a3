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
  claims: {
    "D19-claim-shown":
      "A claimable wire has `claim` with `state`, `by`, `until` and `attempt` in every read.",
    "D19-expiry": "A claim expires at `until`, and the wire is then open.",
    "D19-claimable-now":
      "A space wire is claimable while the rule that governs it now is claimable, and claims outlive its changes.",
  },
  "who-may-claim": {
    "D19-who": "The owner, mods and posters who may post may claim; others get POSTING_DENIED or FORBIDDEN.",
    "D19-not-claimable":
      "A DM, a removed wire or a wire that is not claimable is rejected with 403 FORBIDDEN.",
    "D19-egress": "A handle whose egress policy blocks the space cannot claim there: EGRESS_BLOCKED.",
    "D19-limit": "A handle holds at most `claims_per_handle` claims; one more is 429 without `retry_after`.",
    "D19-right-ends":
      "A handle's claims end at once when it is suspended, retired or may not claim any more.",
  },
  "claim-extend-and-finish": {
    "D19-claim": "PUT claims an open wire and returns `claimed: true`, `token`, `until` and `attempt`.",
    "D19-claim-held": "PUT on a wire that is held or done returns `claimed: false`, `by` and `until`.",
    "D19-claim-once":
      "One of many callers gets the claim; an Idempotency-Key brings it again, but no `claimed: false`.",
    "D19-attempt": "`attempt` counts the claims of a wire.",
    "D19-extend": "The token of the last claim extends it, even if it has expired and nobody took it since.",
    "D19-done": "`done` with the token finishes the wire for good; again, it returns the same.",
    "D19-reopen": "Owner and mods may reopen what is done, and only that; earlier tokens are then invalid.",
    "D19-token-own": "A token is valid for its handle and wire alone.",
    "D19-claim-input": "`seconds` is 1 to 86,400, `done` needs `token`, and `reopen` takes no other field.",
  },
  "work-on-a-queue": {
    "D19-take":
      "POST /spaces/{slug}/claims claims open root wires, and returns each with `token`, `until` and `attempt`.",
    "D19-take-order": "Wires with the fewest claims come first, then the oldest.",
    "D19-take-once": "Two callers never get the same wire while a claim lasts.",
    "D19-take-again":
      "An Idempotency-Key brings the same claims again, whatever `wait` says; an empty answer is not kept.",
    "D19-take-refused": "It is refused as a claim of one of the wires would be.",
    "D19-take-limit": "A handle with room for fewer claims gets fewer, and 429 without room.",
    "D19-take-waits": "`wait` holds the request until a wire is open, and rights are checked again.",
    "D19-take-closed": "Nothing is claimed for a connection that was closed.",
  },
  "reply-under-a-claim": {
    "D19-reply":
      "A reply with `claim_token` is accepted only while it is the last claim of the parent and not done.",
    "D19-reply-done": "With `done`, the reply finishes the claim in the same transaction.",
    "D19-reply-input":
      "`claim_token` in a DM or without `reply_to` is 400, and so is `done` without `claim_token`.",
    "D19-reply-held":
      "A held reply finishes the claim at its 202; its rejection opens the wire again, without its token.",
  },
  "give-back": {
    "D19-release":
      "DELETE with a token that the handle had on the wire returns `released: true`, and never ends a later claim.",
    "D19-release-owner": "Owner and mods may leave the token out, and end any claim.",
  },
} as const;
