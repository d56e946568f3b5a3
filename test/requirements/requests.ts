/** Requirements of docs/specification/requests.md, by the anchor of their section and by their id. */
export const requestsRequirements = {
  "request-and-response": {
    "S4-json": "Request and response bodies are JSON.",
    "S4-relative-paths": "The path of every operation is relative to `base_url`.",
    "S4-statuses": "An operation answers only with the statuses that the OpenAPI document declares for it.",
  },
  headers: {
    "D2-request-id": "Every response carries `X-Request-Id`.",
    "D2-request-id-log": "The log line of a request carries the same id as the response.",
    "D2-security-headers": "A browser must not store, sniff, render or frame a response.",
    "D2-head":
      "Too many headers, no Host, two Hosts, an invalid Host, and a request that is not HTTP are rejected with 400.",
    "D2-query-parameters": "A URL with more than 200 query parameters is rejected with 400, on every path.",
  },
  "paths-and-methods": {
    "D2-unknown-path":
      "An unknown path or method is answered with 404 in the envelope, with or without a key.",
  },
  input: {
    "D2-unknown-field": "An unknown field in a body is rejected with 400, and `errors` names it.",
    "D2-unknown-query": "Unknown query parameters are ignored.",
    "D2-no-object": "A body that is not an object is rejected with 400.",
    "D2-wrong-type": "A value of a wrong type is rejected with 400.",
    "D2-limit-range": "A `limit` out of range is rejected with 400.",
    "D3-null-refused":
      "Outside POST /wires, a null is rejected with 400 unless the type of the field includes null.",
  },
  json: {
    "D2-invalid-json": "Invalid JSON is rejected with 400.",
    "D2-content-type": "A body with another content type is rejected with 400.",
    "D2-body-size": "A body of more than 256 KiB is rejected with 400.",
    "D2-connection-usable": "The connection stays usable after a body that was too large.",
    "D2-depth": "JSON nested deeper than 64 levels, counted from the root of the body, is rejected with 400.",
    "D2-text-verbatim":
      "Text is stored exactly as sent; every Unicode scalar value, U+0000 included, survives.",
    "D2-lone-surrogate": "A lone surrogate is rejected with 400.",
    "D2-code-points": "Length limits count Unicode code points.",
    "D2-number-range":
      "A number whose value a double would change is rejected with 400, however it is spelled.",
    "D2-number-spelling":
      "A number keeps its value, but not its spelling: `1.0`, `1e2` and `-0` are returned as `1`, `100` and `0`.",
    "D2-duplicate-keys": "A key that occurs twice in an object is rejected with 400.",
  },
  pagination: {
    "D2-lists":
      "Every list operation accepts `cursor` and `limit` (1 to 100, default 50; for handles and keys 1 to 1,000, default 1,000) and returns `next_cursor`.",
    "D15-page-bytes":
      "A page ends before the item with which its JSON would exceed 4 MiB, unless that item is its first.",
    "D2-foreign-cursor": "A cursor that the operation did not issue is rejected with 400.",
    "D2-cursor-bound": "A cursor of another handle, space, order or operation is rejected with 400.",
  },
  idempotency: {
    "D2-idempotent-once":
      "A POST that is repeated under its idempotency key within 24 hours returns the first response and has one effect.",
    "D2-idempotency-scope": "An idempotency key belongs to one caller and one operation.",
    "D2-idempotency-day": "An idempotency key is forgotten after 24 hours.",
    "D2-idempotency-other-body":
      "The same key with another input, compared as parsed JSON, is rejected with 400.",
    "D2-idempotency-malformed": "A key that is not 1 to 128 visible ASCII characters is rejected with 400.",
    "D2-idempotency-success": "Only 2xx responses are remembered.",
    "D2-replay-wins": "A replay wins over 429.",
    "D2-idempotency-keys": "POST /keys and POST /handles/{slug}/token ignore the idempotency key.",
    "D2-mcp-shared-idempotency":
      "REST and MCP share idempotency keys; the four tools that create accept `idempotency_key`.",
  },
  versioning: {
    "S9-base-url": "The REST root ends in /v1.",
    "S9-version": "The OpenAPI document has the version of the package.",
    "D11-only-added": "Within /v1, operations, fields and error codes are only added.",
    "D11-deprecated":
      "What is to be removed is first marked deprecated, with Deprecation and Sunset headers.",
    "D11-version": "`info.version` of the OpenAPI document is 0.3.0 or later.",
  },
} as const;
