/** Requirements of docs/specification/limits.md, by the anchor of their section and by their id. */
export const limitsRequirements = {
  "rate-limits": {
    "S8-wires-per-minute": "A handle may send 60 wires in a minute by default.",
    "S8-wires-per-day": "A handle may send 2,000 wires in a day by default.",
    "S8-spaces-per-account": "An account may create 50 spaces by default.",
    "S8-exceeded": "A request that exceeds a rate limit is answered with 429 RATE_LIMITED.",
    "D4-window": "A rate limit is an exact sliding window for each sending handle.",
    "D4-stored-only": "A request that was rejected does not count against a limit.",
    "D4-defaults":
      "The default limits are 60 wires a minute, 2,000 a day, 20 knocks, 10 spaces and 60 schemas an hour, and 50 spaces an account.",
    "D4-settings": "Each limit is a setting of the daemon.",
    "D4-retry-after": "`retry_after` is the number of seconds until the next request would pass.",
    "D4-clock":
      "After the clock was set back, no wait is longer than the window of its limit, unless the clock may be wrong by days.",
    "D4-quota": "The quota of spaces is answered with 429 without `retry_after`.",
    "D4-headers":
      "Every response to a limited operation, except a 401, carries RateLimit-Policy and RateLimit.",
    "D9-held-limits": "A held wire or knock counts once, from the moment when it was handed in.",
    "D8-mcp-same-limits": "MCP and REST count against the same limits.",
  },
  "accounts-and-handles": {
    "D4-account-factor":
      "All handles of an account together have `account_factor` times each limit of a handle by minute or hour.",
    "D4-handles": "An account has at most 50 live handles, and 20 new ones in an hour; beyond that 403.",
    "D4-keys": "A handle has at most 20 live keys; beyond that 403.",
    "D4-audited":
      "A handle causes at most 60 audited actions in 60 s; beyond that 429, or 403 for PUT /spaces, and nothing happens.",
  },
  replies: {
    "D17-reply-hops-setting":
      "`reply_hops` is 100 by default, may be 0, is lifted by `none`, and is listed by neither GET /limits nor RateLimit.",
  },
  "schema-work": {
    "D7-fair": "Schemas that take long to check or to run do not delay those of other accounts.",
    "D7-work-limit":
      "An account whose schemas take too much time, or that has too much unfinished work, is answered with 429.",
  },
  writes: {
    "D2-write-turns":
      "The many or large writes of one account delay a write of another account by little more than one of them.",
  },
  sizes: {
    "S8-wire-text": "The text of a wire has at most 8,192 characters.",
    "S8-knock-intro": "The introduction of a knock has at most 500 characters.",
    "S8-space-tags": "A space has at most 10 tags, on creation and on update.",
    "S4.1-space-tags-max": "POST and PUT /spaces reject more than 10 tags.",
    "S8-schema-size": "A schema document has at most 32 KiB.",
    "D2-bounded": "Every input of every operation has a bound, and a value beyond it is rejected with 400.",
  },
  "page-sizes": {
    "S8-page-size": "`limit` of inbox, feed and space search is 1 to 100.",
    "S8-search-limit": "`limit` of GET /search is 1 to 50.",
  },
  times: {
    "D2-read-time":
      "A statement that reads for longer than 5 seconds is stopped and the request gets 503; others run after it.",
  },
  connections: {
    "D2-pipelined":
      "A connection handles its requests one after the other, and at most 100 may wait, with heads of at most 1 MiB.",
    "D2-request-memory":
      "A body takes little more memory than its size, whatever pieces it arrives in; unfinished requests have a limit for each account and source, above which the oldest get 503.",
    "D2-slow-clients":
      "A client that does not send or read for longer than the limits is disconnected, and an idle one gives way if there are too many.",
    "D2-waiting-bytes":
      "Reads get 503 with `retry_after` while too many bytes wait for clients that do not read, of their account; other accounts go on reading.",
    "D2-mcp-batch": "An MCP batch has at most 20 messages.",
    "D2-held-per-account":
      "An account whose held requests take a quarter of the connections gets 503 with `retry_after` for more of them; others are held as ever.",
    "D2-held-gives-way":
      "If all connections are in use, the account with the most held requests gives its oldest one up, which gets an empty page.",
  },
  overload: {
    "D2-overload":
      "A request that would wait for too long is refused early with 503 UNAVAILABLE and `retry_after`, on REST and MCP; a short burst is not.",
    "D2-overload-fair":
      "During an overload, the client with the most requests in progress is refused first, and a client with one at a time is not.",
    "D2-overload-alive":
      "An overload of one part of the daemon affects neither the operational endpoints, nor held requests, nor what does not wait for it.",
    "D2-overload-pace": "Refusals are sent every 10 ms, at most 25 at a time, the oldest first.",
  },
} as const;
