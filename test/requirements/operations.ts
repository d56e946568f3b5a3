/** Schemas, compatibility, validation, switchboard and search (specification 1, 2.7, 2.8, 4.1, 9; decisions 3, 5 and 7). */
export const operationRequirements: Readonly<Record<string, string>> = {
  "S1-schema-contract": "A post that does not validate under its schema is rejected with reasons.",
  "S1-switchboard": "The switchboard searches discoverable handles, public spaces and registered schemas.",
  "S2.7-schema-record":
    "SchemaRecord: ref (subject@version), subject (@handle/name), version (integer), compat (none, backward), json_schema.",
  "S2.8-handle-row": "A row of type handle: slug, display_name, bio, tags, inbox_rule.",
  "S2.8-space-row": "A row of type space: slug, description, posting_rights, root_rule, reply_rule, tags.",
  "S2.8-schema-row": "A row of type schema: subject, ref, latest_version (integer), compat.",
  "S4.1-schema-created": "POST /schemas answers 201 with ref (subject@version) and version (integer).",
  "S4.1-schema-body":
    "POST /schemas: subject (required), json_schema (object, required), compat (none or backward, optional).",
  "S4.1-schema-strict": "json_schema is a JSON Schema document valid under strict 2020-12 validation.",
  "S4.1-schema-size": "json_schema has at most 32 KB.",
  "S4.1-schema-owned": "subject names a handle the caller owns.",
  "S4.1-schema-compat-kept": "Omitting compat keeps the subject's existing value, or none for a new subject.",
  "S4.1-schema-each-call": "Each call of POST /schemas registers a new version.",
  "S4.1-schema-get":
    "GET /schemas/{ref}, percent-encoded: @handle/name is the latest version, @handle/name@N a pinned one; answers the SchemaRecord.",
  "S4.1-schema-get-statuses": "GET /schemas/{ref}: 400, 401, 404.",
  "S4.1-wire-search":
    "GET /spaces/{slug}/search answers wires (ranked matches) and next_cursor (string or null).",
  "S4.1-wire-search-q": "q is a required string in web-search query syntax.",
  "S4.1-wire-search-cursor": "cursor is an opaque offset cursor, namespaced with an s: prefix.",
  "S4.1-wire-search-limit": "Space search: limit is an integer, 1 to 100.",
  "S4.1-wire-search-private": "Private spaces are searchable only by members; a non-member gets 404.",
  "S4.1-wire-search-one": "There is no cross-space search.",
  "S4.1-search-type": "GET /search: type is required: handles, spaces or schemas.",
  "S4.1-search-browse": "GET /search: q is optional; absent means browse everything of the type.",
  "S4.1-search-tags":
    "tags is a comma-separated list; repeated parameters are equivalent to the comma-joined form.",
  "S4.1-search-filters": "tags and accepts_schema filter handles and spaces and are ignored for schemas.",
  "S4.1-search-listed": "Only discoverable handles and public spaces are returned.",
  "S4.1-search-limit": "GET /search: limit is an integer, 1 to 50.",
  "S4.1-search-array": "GET /search answers an array of EntityResult: a single capped list, no pagination.",
  "S9.3-versions":
    "Schemas carry integer versions, starting at 1 per subject, incremented on each registration.",
  "S9.3-latest": "A ref without @N resolves to the latest.",
  "S9.4-modes": "The compatibility mode of a subject is none or backward.",
  "D3-accepts-by-schema":
    "A payload under a rule that names schemas must be valid under at least one; the accepting one becomes its pinned schema_ref.",
  "D3-payload-refused":
    "None accepts it: 422 SCHEMA_VALIDATION_FAILED with rule_source, errors, schema_ref and schema_url, both absent for an inline schema.",
  "D3-refs-checked": "A ref that does not exist when the rule is set: 400; at most 20 refs.",
  "D3-inline-as-registered": "inline_schema obeys the same checks as a registered schema.",
  "D5-search-syntax": 'Words are ANDed; "a phrase", or, -not, as in PostgreSQL\'s websearch_to_tsquery.',
  "D5-search-no-error": "Nothing that a user types into a search is an error.",
  "D5-search-nothing": "A query without a usable word returns an empty list.",
  "D5-search-stemmed": "English stemming.",
  "D5-search-payload": "The strings inside a payload are searched too.",
  "D5-search-pages": "Search: limit default 50, cursors s: + offset.",
  "D5-search-ranked": "Ranked by relevance, then newest.",
  "D5-search-tombstones": "Removed wires are left out of search at once.",
  "D5-switchboard-words":
    "Switchboard: q (words, stemmed, ANDed; empty = browse) matches slug, display name, bio, description, subject, tags.",
  "D5-switchboard-tags": "Switchboard: tags = all of them.",
  "D5-switchboard-accepts":
    "accepts_schema matches a rule that lists that ref or, given unpinned, any version of that subject.",
  "D5-switchboard-pinned":
    "A pinned ref also matches a rule that lists the subject unpinned, while it is the latest.",
  "D5-switchboard-limit": "Switchboard: limit default 20.",
  "D7-document":
    "Accepted: a JSON Schema 2020-12 document (object), valid against its meta-schema, with known keywords and known formats only.",
  "D7-refs-inside": "Every $ref and $dynamicRef resolves inside the document.",
  "D7-bytes": "At most 32 KB (32,768 bytes) serialised.",
  "D7-dialect": "$schema, where given, is 2020-12; $async and other validator-specific keywords are unknown.",
  "D7-refused": "Anything else: 400 with errors.",
  "D7-formats": "Formats are asserted: a payload that breaks one is invalid.",
  "D7-linear": "pattern and patternProperties run on a linear-time engine.",
  "D7-deadline":
    "Validation takes at most 250 ms, other requests unhindered; past that the wire is refused: 422 with one error of keyword timeout.",
  "D7-pattern-refused":
    "A pattern that the engine cannot run (look-around, back-reference): 400 at registration.",
  "D7-subject-handle":
    "The subject's handle is the caller's, or another of the same account. Another's: 403. Unknown: 404.",
  "D7-subject-name": "A subject's name: ^[a-z0-9][a-z0-9._-]{0,63}$.",
  "D7-backward":
    "compat backward: every instance valid under the latest version must stay valid under the new one.",
  "D7-breaking":
    "What cannot be shown compatible: 400 VALIDATION_ERROR with an error per breaking change, instancePath a JSON Pointer into the new schema.",
  "D7-own-mode": "compat given on a registration is the mode that it is itself checked under.",
};
