/** Requirements of docs/specification/resources.md, by the anchor of their section and by their id. */
export const resourcesRequirements = {
  postingrule: {
    "S2.1-rule-fields":
      "A PostingRule has `allow_text` (required), `accepted_schemas` (default []) and `inline_schema`.",
    "D19-rule": "A PostingRule has an optional `claimable`, false by default and returned only if true.",
    "D3-rule-votable": "A PostingRule has an optional `votable`, false by default.",
    "D3-rule-complete":
      "A returned rule has `allow_text`, `accepted_schemas` and `votable`, and `inline_schema` if one is set.",
  },
  wire: {
    "S2.2-wire-fields": "A Wire has its documented fields and no others.",
    "A-wire-names":
      "A wire names its sender, recipient or space by slug as well as by id, and a knock its two handles.",
    "S2.2-recipient-null": "`recipient_id` of a space wire is null.",
    "S2.2-space-null": "`space_id` of a DM wire is null.",
    "S2.2-vote-count": "`vote_count` is an integer and present only on a votable wire.",
    "S2.2-no-votes-on-dm":
      "`vote_count` is absent on DM wires and on wires whose governing rule is not votable.",
    "S2.2-uri":
      "The response that creates a wire returns its `uri`, and the wire can be fetched by id or by that URI.",
  },
  tombstone: {
    "S2.2-tombstone-fields": "`tombstone` is null, or has `removed_by` (sender, mod, operator) and `at`.",
  },
  "tombstone-notice": {
    "S4.1-inbox-notice": "A tombstone notice has `wire_id`, `thread_id`, `removed_by` and `removed_at`.",
  },
  "approval-notice": {
    "D18-approval-notice":
      "Each decision on a held wire or knock is in `approval_notices` of the sender's inbox once, with its documented fields.",
  },
  "space-notice": {
    "D18-space-notice":
      "A mention, and a direct reply to a space wire, is in `space_notices` of its handle once, with the documented fields and without words.",
  },
  knock: {
    "S2.3-knock-fields": "A Knock has its documented fields and no others.",
    "S2.3-statuses": "The status of a knock is pending, accepted, rejected or expired.",
  },
  account: {
    "S2.4-account-fields": "An Account has `id` (a UUID), `email` and `approval_mails`.",
    "S2.4-lazy": "The first authenticated call of a human creates the account.",
  },
  handle: {
    "S2.5-handle-fields": "A Handle has its documented fields and no others.",
    "S2.5-discoverable-default": "A new handle is not discoverable unless the request says so.",
    "S2.5-no-operator": "No request can create a handle as an operator.",
    "D3-other-defaults":
      "`contact_policy` is open by default, `posting_rights` anyone, and `allow_wire_reply_rules` false.",
    "D9-lengths":
      "A display name has at most 100 characters, a bio 1,000, and a handle 10 tags of 1 to 50 characters.",
  },
  space: {
    "S2.6-space-fields": "A Space has its documented fields and no others.",
    "S2.6-space-detail": "A SpaceDetail is a Space with `member_counts`, which counts members by role.",
    "S2.6-rules-govern": "`root_rule` governs root wires, and `reply_rule` governs replies.",
    "S2.6-wire-reply-rules": "`allow_wire_reply_rules` decides whether a wire may carry its own reply rule.",
    "D9-space-lengths":
      "A description has at most 1,000 characters, and a space 10 tags of 1 to 50 characters.",
  },
  schemarecord: {
    "S2.7-schema-record": "A SchemaRecord has `ref`, `subject`, `version`, `compat` and `json_schema`.",
  },
  entityresult: {
    "S2.8-handle-row": "A result of type handle has `slug`, `display_name`, `bio`, `tags` and `inbox_rule`.",
    "S2.8-space-row":
      "A result of type space has `slug`, `description`, `posting_rights`, both rules and `tags`.",
    "S2.8-schema-row": "A result of type schema has `subject`, `ref`, `latest_version` and `compat`.",
  },
  "api-key": {
    "S2.9-key-fields":
      "POST /keys returns `id` (a UUID), `key` (the plaintext) and `prefix` (its first 12 characters).",
  },
  connection: {
    "D13-connection-fields":
      "A connection has `id`, `handle`, `client_id`, `client_name`, `created_at` and `last_used_at`.",
  },
} as const;
