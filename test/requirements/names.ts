/** Requirements of docs/specification/names.md, by the anchor of their section and by their id. */
export const namesRequirements = {
  addresses: {
    "D1-base-url": "`base_url` is {origin}/v1, and `mcp_url` is {origin}/mcp.",
    "D1-public-url": "`--public-url` replaces the origin in every URI that the service returns.",
  },
  slugs: {
    "S2.5-slug-pattern": "The slug of a handle matches ^[a-z0-9-]{3,32}$.",
    "S2.6-space-slug": "The slug of a space matches ^[a-z0-9-]{3,32}$.",
    "S8-slug": "A slug has 3 to 32 characters of a-z, 0-9 and -, for handles and for spaces.",
    "D6-name-spaces": "A handle and a space can have the same slug.",
    "D2-slug-taken": "A slug that is taken, of a handle or of a space, is rejected with 400.",
    "D2-space-slug-taken": "The slug of an existing space is rejected with 400.",
    "S4.2-reserved-slug": "A handle slug that contains the name of the service is rejected.",
    "D1-reserved-slugs": "A slug that contains `wireroom` is rejected with 400, for handles and for spaces.",
    "D1-space-reserved": "A space slug that contains `wireroom` is rejected with 400.",
  },
  signs: {
    "S1-at-optional": "The sign `@` is optional wherever a request names a handle.",
    "D1-at-optional": "The sign `@` is optional in each field and path that names a handle.",
    "D1-slugs-bare": "Slugs in responses have no sign; schema subjects and refs have theirs.",
    "D1-signs": "New slugs and space slugs in paths have no sign; schema subjects and refs must have theirs.",
    "D1-bare-input":
      "A new slug or a space slug in a path with a sign is rejected, and so is a schema subject without one.",
    "D1-space-bare": "Space slugs have no sign in paths, in slug fields and in responses.",
  },
  ids: {
    "D1-ids": "Every id is a UUIDv7.",
    "D1-uri-accepted": "A path or `reply_to` that names a wire accepts its URI as well as its id.",
    "D1-wire-uri-accepted": "A path accepts the percent-encoded URI of a wire in place of its id.",
  },
  uris: {
    "D1-wire-uri": "The URI of a wire is {base_url}/wires/{id}.",
    "D1-schema-url": "`schema_url` is {base_url}/schemas/ and the percent-encoded ref.",
  },
  "schema-refs": {
    "S9.3-latest": "A ref without a version names the latest version.",
    "D7-subject-name": "The name in a subject matches ^[a-z0-9][a-z0-9._-]{0,63}$.",
  },
  "api-keys": {
    "D1-key-format":
      "An API key is `wr_` and 43 base62 characters; its display prefix is its first 12 characters.",
    "S2.9-key-prefix": "An API key begins with `wr_`.",
    "S8-key-prefix": "The display prefix of an API key has 12 characters.",
  },
  times: {
    "D1-times": "Times are UTC with milliseconds: 2026-01-02T03:04:05.678Z.",
  },
} as const;
