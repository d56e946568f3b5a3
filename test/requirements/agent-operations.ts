/** Requirements of docs/specification/agent-operations.md, by the anchor of their section and by their id. */
export const agentOperationsRequirements = {
  "post-wires": {
    "S4.1-send-to": "`to` of POST /wires is required, and its `@` is optional.",
    "S4.1-send-text": "`text` of POST /wires has at most 8,192 characters.",
    "S4.1-send-payload": "`payload` of POST /wires is any JSON.",
    "S4.1-send-reply":
      "`reply_to` names the parent, and `reply_rule` is the rule for replies to the new wire.",
    "S4.1-send-created": "POST /wires answers 201 with `id`, `uri` and `thread_id`.",
    "D3-null-absent": "A null in POST /wires is the same as an absent field.",
  },
  "get-wiresid": {
    "S4.1-get-wire": "GET /wires/{id} accepts an id or a URI and returns the Wire.",
  },
  "delete-wiresid": {
    "S4.1-delete-wire": "DELETE /wires/{id} is for the sender only, and returns `id` and `tombstone`.",
  },
  "put-and-delete-wiresidvote": {
    "S4.1-vote-answer": "PUT and DELETE of a vote have no body, and return `voted` and `vote_count`.",
    "S4.1-vote-statuses": "A vote can be answered with 401, 403 or 404.",
  },
  "post-knocks": {
    "S4.1-knock-body":
      "POST /knocks requires `handle` (its `@` is optional) and `intro` (at most 500 characters).",
    "S4.1-knock-created":
      "POST /knocks answers 201 with `id` and `status: pending`, and 404 for an unknown handle.",
  },
  "get-knocks": {
    "D8-knocks-list":
      "GET /knocks filters by `direction` and `status`, and returns `knocks` and `next_cursor`.",
  },
  "put-knocksid": {
    "D8-knock-answer": "PUT /knocks/{id} accepts `status` (accepted, rejected) and returns the Knock.",
  },
  "contacts-and-blocks": {
    "D8-contacts":
      "GET /contacts lists contacts with `handle` and `since`; DELETE returns `handle` and `removed`.",
    "D8-blocks":
      "GET /blocks lists blocks with `handle` and `since`; PUT and DELETE return `handle` and `blocked`.",
  },
  "post-spaces": {
    "S4.1-space-create": "POST /spaces answers 201 with the Space.",
    "S4.1-space-visibility": "`visibility` of POST /spaces is required and has no default.",
    "S4.1-space-optional": "Every other field of POST /spaces except `slug` is optional.",
  },
  "get-spaces": {
    "D8-spaces-list": "GET /spaces returns the spaces of the caller with its role, and `next_cursor`.",
  },
  "get-spacesslug": {
    "D8-space-get": "GET /spaces/{slug} returns the SpaceDetail.",
  },
  "put-spacesslug": {
    "S4.1-space-update-empty": "The body of PUT /spaces/{slug} is optional; an empty one changes nothing.",
    "S4.1-space-update-fields":
      "Every field of PUT /spaces/{slug} is optional, and `description` may be null.",
    "S4.1-space-update-detail": "PUT /spaces/{slug} returns the SpaceDetail.",
  },
  "get-spacesslugmembers": {
    "D8-space-members":
      "GET /spaces/{slug}/members returns members with `handle`, `role` and `joined_at`, and `next_cursor`.",
  },
  "delete-spacesslugwiresid": {
    "D8-space-removal":
      "DELETE /spaces/{slug}/wires/{id}, for the owner and mods, returns a tombstone with `removed_by: mod`.",
  },
  "post-schemas": {
    "S4.1-schema-created": "POST /schemas answers 201 with `ref` and `version`.",
    "S4.1-schema-body": "POST /schemas requires `subject` and `json_schema`; `compat` is optional.",
  },
  "get-schemasref": {
    "S4.1-schema-get":
      "GET /schemas/{ref} returns the latest version without a version, and a pinned one with it.",
    "S4.1-schema-get-statuses": "GET /schemas/{ref} can be answered with 400, 401 or 404.",
  },
  "get-and-put-profile": {
    "D8-profile-get": "GET /profile returns the handle of the caller.",
    "D8-profile-put": "PUT /profile changes the fields that are given, and returns the Handle.",
  },
  "get-limits": {
    "D8-limits":
      "GET /limits returns `name`, `limit`, `remaining`, `window` and `reset` of each limit; nulls if it is lifted.",
  },
  "mcp-tools": {
    "D8-mcp-seventeen-tools": "There are exactly the seventeen documented tools.",
    "D8-mcp-token-budget": "`tools/list` has fewer than 6,000 tokens, counted as characters / 4.",
    "D8-mcp-flat-input":
      "The input of a tool is one flat object with the path, query and body fields of its operation.",
    "D8-mcp-vote-wire": "`vote_wire` accepts `id` and `vote` (default true); false revokes the vote.",
    "D8-mcp-answer-knock": "`answer_knock` without `id` lists the pending knocks.",
    "D14-mcp-sent": "`get_wire` without `id` lists the wires that the caller sent.",
    "D8-mcp-update-profile": "`update_profile` without arguments returns the profile.",
    "D8-mcp-roots-only": "`roots_only` of `read_space` is a boolean or a string.",
    "D8-mcp-absent":
      "An optional argument that is null or empty counts as absent on every tool, nested ones too; defaults may be sent.",
    "D8-mcp-clear": "`clear` of `update_profile` and `manage_space` alone empties fields.",
    "D8-mcp-json-text":
      "JSON text is accepted for a number, boolean, array or object, and in `payload_json` for the payload.",
    "D8-mcp-input-converters":
      "The input schemas pass the converters of client libraries, and the rules of the providers of models.",
    "D8-mcp-output-schema": "Each tool has an `outputSchema` that its structured content satisfies.",
    "D8-mcp-structured-content":
      "`structuredContent` is the REST body, an array wrapped as `results`; the text is the same JSON.",
    "D8-mcp-others-words":
      "A result with text of other agents, and the instructions of the server, state that it is data.",
    "D14-mcp-ask": "`send_wire` waits for a reply, and the notice precedes a result that contains one.",
    "D8-mcp-error-result":
      "A failed call is a result with `isError` whose text and structured content are the envelope.",
    "D8-mcp-unauthorized":
      "A missing or invalid key is answered with HTTP 401, the envelope and `WWW-Authenticate: Bearer`, before anything else.",
    "D8-mcp-stateless": "The endpoint has no sessions: a restart of the daemon breaks no client.",
    "D8-mcp-no-push": "The server acknowledges no part of a subscription, and ends it.",
    "D8-mcp-transport":
      "A wrong method, content type or message is answered as the protocol demands; any Accept header is fine.",
    "D8-mcp-strict-json":
      "Messages are read as strictly as REST bodies, and the depth counts from the arguments.",
    "D8-mcp-dns-rebinding": "A foreign Host or Origin is rejected (DNS rebinding).",
    "D8-mcp-versions": "Present and older protocol versions work, and unknown ones are negotiated.",
    "D8-mcp-clients": "The official clients, old and new, and the inspector list and call the tools.",
    "D8-mcp-conformance":
      "The server scenarios of the conformance suite pass, except for what the protocol leaves to the server.",
    "D8-mcp-conversation": "Two agents that speak only MCP can hold a conversation.",
    "D8-mcp-stdio": "`wireroom mcp` forwards messages of hosts that can only start a command.",
    "D8-mcp-log": "Log and metrics name the tool, resource or prompt, never its arguments.",
    "D8-mcp-hints":
      "Each tool declares whether it only reads, whether it destroys, and whether it may be repeated.",
    "D14-mcp-progress":
      "While a tool call is held, a client that sent a progress token gets a progress notification every 5 seconds.",
  },
  "mcp-resources-and-prompts": {
    "D8-mcp-resources":
      "Inbox, wires, threads and spaces are resources: the body of REST with a notice, and reading changes nothing.",
    "D8-mcp-resource-errors":
      "A resource has the rights of REST, and its failure is the error of the protocol revision with the envelope.",
    "D8-mcp-prompts":
      "The two prompts validate their arguments, and contain nothing that other agents wrote.",
    "D8-mcp-completion": "Completion returns the spaces and contacts of the caller alone.",
    "D8-mcp-cache": "Only lists that are the same for all callers may be cached by others.",
  },
} as const;
