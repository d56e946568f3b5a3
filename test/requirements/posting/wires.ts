/** Wires and the rules that govern them (specification 1, 2.1, 2.2, 4.1; decisions 3 and 4). */
export const wireRequirements: Readonly<Record<string, string>> = {
  "S1-at-optional": "The `@` prefix is optional wherever a handle slug is accepted as input.",
  "S1-wire-content": "A wire is a message carrying text, a JSON payload, or both.",
  "S1-replies-form-thread": "Replies to a wire form a thread.",
  "S1-gated":
    "Wires can be gated by posting rules that demand a registered schema, allow plain text, or both.",
  "S2.1-rule-fields":
    "PostingRule: allow_text (boolean, required), accepted_schemas (array of schema refs, default []), inline_schema (object).",
  "S2.2-wire-fields":
    "Wire: id, sender_id, recipient_id, space_id, text_body, payload, schema_ref, reply_to, thread_id, reply_rule, tombstone, created_at.",
  "S2.2-recipient-null": "recipient_id is null for a space wire.",
  "S2.2-space-null": "space_id is null for a DM wire.",
  "S2.2-no-votes-on-dm": "vote_count is absent on DM wires and on wires whose governing rule is not votable.",
  "S2.2-uri":
    "A wire has a canonical uri (returned as `uri` on creation) and can be fetched by id or by that uri.",
  "S4.1-send-to": "POST /wires: `to` is required, a recipient handle slug, `@` optional.",
  "S4.1-send-text": "POST /wires: text has a max length of 8192.",
  "S4.1-send-payload": "POST /wires: payload is any JSON.",
  "S4.1-send-reply":
    "POST /wires: reply_to is the id of the wire replied to, reply_rule the rule for replies to this wire.",
  "S4.1-send-created": "POST /wires answers 201 with id, uri (a URI) and thread_id.",
  "S4.1-send-422": "POST /wires: 422 where the payload is rejected by the governing rule's schema.",
  "S4.1-get-wire": "GET /wires/{id} takes the wire id or canonical uri and answers 200 with the Wire.",
  "S4.1-get-participants": "GET /wires/{id}: a DM wire is visible only to its sender or recipient.",
  "D3-rule-votable": "PostingRule has one more optional field: votable (boolean, default false).",
  "D3-rule-complete":
    "Responses always carry allow_text, accepted_schemas and votable, and inline_schema where one is set.",
  "D3-rule-default": 'Every rule not given is {"allow_text": true}.',
  "D3-other-defaults":
    "contact_policy defaults to open, posting_rights to anyone, allow_wire_reply_rules to false.",
  "D3-text-or-payload": "At least one of text and payload is required on a wire (400 otherwise).",
  "D3-text-not-empty": "text must not be empty.",
  "D3-null-absent": "In POST /wires a null is the same as an absent field.",
  "D3-null-refused": "Elsewhere a null is 400 unless the field's type names null.",
  "D3-text-denied": "Text where the rule has allow_text false: 403 POSTING_DENIED with rule_source.",
  "D3-valid-under-one":
    "A payload where the rule names schemas must be valid under at least one of accepted_schemas and inline_schema.",
  "D3-first-accepts":
    "The first schema in order that accepts the payload becomes the wire's schema_ref, always pinned, and null for an inline one.",
  "D3-none-accepts":
    "None accepts it: 422 SCHEMA_VALIDATION_FAILED with rule_source, errors and, of the schema with the fewest errors, schema_ref and schema_url.",
  "D3-inline-no-ref": "schema_ref and schema_url are both absent for an inline schema.",
  "D3-no-schema": "Where the rule names no schema, any payload is accepted.",
  "D3-unpinned":
    "accepted_schemas takes pinned and unpinned refs; unpinned means the latest version at the time of the post.",
  "D3-ref-missing": "A ref that does not exist when the rule is set: 400.",
  "D3-refs-max": "At most 20 refs.",
  "D3-inline-checked": "inline_schema obeys the same checks as a registered schema.",
  "D3-governs-root": "Which rule governs a space root: root_rule (space_root).",
  "D3-governs-reply":
    "A space reply: the parent wire's own reply_rule where the space has allow_wire_reply_rules and the parent has one (wire_reply_rule), else the space's reply_rule (space_reply).",
  "D3-governs-dm":
    "A DM: the parent's reply_rule where the wire replies to one that has it (wire_reply_rule), else the recipient's inbox_rule (inbox).",
  "D3-direct-replies": "A wire's reply_rule governs direct replies to that wire alone.",
  "D3-reply-rule-refused":
    "A wire that carries a reply_rule in a space that does not allow it: 403 POSTING_DENIED.",
  "D4-to": "`to` takes @slug, slug (a handle) and #slug (a space).",
  "D4-unknown-target": "An unknown target, or a private space of which the caller is no member: 404.",
  "D4-to-oneself": "To oneself: allowed (a note to self).",
  "D4-reply-unseen": "reply_to that the caller cannot see: 404.",
  "D4-reply-same-place":
    "A space reply must be in the same space as its parent, and a DM reply must answer a DM: otherwise 400.",
  "D4-posting-rights":
    "POSTING_DENIED also by posting rights: anyone = everyone who can read the space; members = owner, mod, poster; mods = owner, mod.",
  "D4-refusal-order":
    "The order in which refusals win: 401, 400, 429, 404, EGRESS_BLOCKED, KNOCK_REQUIRED, POSTING_DENIED, 422.",
};
