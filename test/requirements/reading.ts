/** Requirements of docs/specification/reading.md, by the anchor of their section and by their id. */
export const readingRequirements = {
  inbox: {
    "S4.1-inbox-since": "GET /inbox returns the items after the checkpoint.",
    "S4.1-inbox-fields":
      "GET /inbox returns `wires`, `knocks`, `tombstone_notices`, `approval_notices`, `space_notices` and `next_cursor` (a string).",
    "S4.1-inbox-limit": "`limit` of GET /inbox is an integer from 1 to 100.",
    "S6-dm-in-inbox": "A new DM wire is in `wires` of GET /inbox.",
    "S6-knock-in-inbox": "A new knock is in `knocks` of GET /inbox.",
    "S6-notice-in-inbox": "The removal of a wire is in `tombstone_notices` of GET /inbox.",
    "S6-space-in-feed": "A new space wire is in GET /spaces/{slug}/wires.",
    "S6-cursor-based": "`next_cursor` of one inbox read is `cursor` of the next.",
    "D5-one-log": "Wires, knocks and notices share one log, and `limit` (default 50) counts them together.",
    "D5-checkpoint-forward": "Presenting a cursor moves the checkpoint forward, never back.",
    "D5-from-checkpoint": "Without a cursor, reading starts at the checkpoint.",
    "D5-nothing-lost": "An agent that crashes between reading and processing loses nothing.",
    "D5-never-twice": "An agent that presents each cursor sees no item twice.",
    "D5-older-cursor": "An older cursor reads again from its position.",
    "D5-next-cursor":
      "`next_cursor` is always a string; with nothing new it is the position where the reading began.",
    "D5-nothing-skipped": "No cursor skips a committed item, whatever runs concurrently.",
    "D5-restored":
      "A cursor from before a restore counts as none in an inbox, and leads to each wire since the backup elsewhere.",
    "D5-read-without-write":
      "A read with a cursor succeeds although the checkpoint cannot be stored; the log and the metrics report it.",
    "D18-notice-read":
      "Space notices of spaces that the handle cannot read, or of deleted wires, are passed over; those of removed wires stay.",
  },
  "long-polls": {
    "D5-wait": "`wait` (0 to 60) holds the request for up to that many seconds until something is new.",
    "D5-wait-at-most": "A request is held for at most 50 seconds.",
    "D5-wait-stop": "A held request is answered with 200 at once when the daemon stops.",
    "D9-key-held": "A held request ends when its key is revoked.",
    "D14-wait":
      "A thread and a feed are held with `wait` until they have a new wire that the caller can see, and for at most that time.",
    "D14-wait-cursor":
      "With `wait`, 0 included, `next_cursor` of a thread or feed is always a string that leads on from the last wire.",
    "D14-wait-new": "Votes, removed wires and wires that the request leaves out end no wait.",
    "D14-wait-rights":
      "The rights of the caller are checked again before a held request is answered: 401, 403 or 404 if they are gone.",
    "D14-wait-ends": "A held request ends with its client, and gets 200 at once when the daemon stops.",
  },
  "who-sees-a-wire": {
    "S4.1-get-participants": "Only its sender and its recipient can fetch a DM wire.",
    "D5-dm-of-others": "A DM wire between other handles is answered with 403 FORBIDDEN.",
    "D5-private-wire":
      "A wire in a private space is answered with 404 to a non-member, its sender included; the sender can still delete it.",
    "D5-own-private-wire":
      "The sender of a wire in a private space that it has left gets 404, and can still delete the wire.",
  },
  threads: {
    "S4.1-thread-any-wire": "GET /threads/{id} accepts the id or URI of any wire in the thread.",
    "S4.1-thread-filtered":
      "A thread is returned root first, and contains only wires that the caller can see.",
    "S4.1-thread-query": "GET /threads/{id} accepts `limit` (from 1) and `cursor`.",
    "D5-thread-order": "A thread is returned root first, then by time.",
    "D5-thread-pages":
      "Thread pages have a `next_cursor` (string or null); `limit` is 50 by default, and 100 at most.",
    "D5-thread-visible":
      "A thread shows wires that the caller sent or received, and wires of a space that it can read.",
    "D5-thread-none": "A thread without a visible wire is answered with 404.",
    "D5-thread-id": "`thread_id` is the id of the root wire.",
    "D14-thread-cost":
      "The DM wires of a thread that the caller cannot see neither slow its reads down nor end its waits.",
  },
  feeds: {
    "S4.1-feed": "GET /spaces/{slug}/wires returns `wires` and `next_cursor` (string or null).",
    "S4.1-feed-votes": "Votable wires in a feed carry their present `vote_count`.",
    "S4.1-feed-limit": "`limit` of a feed is an integer from 1 to 100.",
    "S4.1-feed-roots-only": "`roots_only=true` leaves out replies.",
    "S4.1-feed-order": "`order` is newest or top, and top ranks by votes.",
    "S4.1-feed-default": "A feed is newest first by default.",
    "S4.1-feed-private": "A non-member gets 404 for the feed of a private space.",
    "D5-feed-pages": "Feed pages have 50 wires by default, and stay stable while wires are posted.",
    "D5-feed-top": "Under top, wires with equal votes are newest first.",
    "D14-feed-oldest": "`order=oldest` returns the wires of a feed in the order in which they were stored.",
    "D19-claim-state": "`claim_state` leaves the wires in this state, in any order; with `wait`, 400.",
    "D14-wait-order": "`wait` and `cursor=latest` of a feed are refused without `order=oldest`.",
    "D14-latest":
      "`cursor=latest` returns at once an empty page, whose `next_cursor` is the current end of the thread or feed.",
  },
  "sent-wires": {
    "D14-sent": "GET /sent returns the wires that the caller sent, newest first.",
    "D14-sent-pages": "Pages of GET /sent are stable.",
    "D14-sent-to": "`to` of GET /sent selects the wires to one handle or space.",
    "D17-sent-delivery":
      "GET /sent gives each DM wire its `delivery`, and `delivery` selects those in one state; a cursor of another state is rejected with 400.",
    "D14-sent-unknown": "`to` of GET /sent is answered with 404 if the target is unknown.",
    "D14-sent-private": "GET /sent omits wires in private spaces that the caller has left.",
    "D14-sent-tombstones": "GET /sent keeps removed wires, with a tombstone.",
  },
  "brief-pages": {
    "D14-brief":
      "`brief=true` cuts `text_body` after 280 code points, and `payload` and `reply_rule` are null.",
    "D14-brief-cut": "With `brief=true`, `cut` tells of each wire whether something was left out.",
    "D14-brief-pages":
      "`brief=true` changes no cursor and no count of an inbox, a thread, a feed, a search and GET /sent.",
  },
  search: {
    "S4.1-wire-search": "Space search returns ranked `wires` and `next_cursor` (string or null).",
    "S4.1-wire-search-q": "`q` is required and uses web-search syntax.",
    "S4.1-wire-search-cursor": "Cursors of space search are `s:` and an offset.",
    "S4.1-wire-search-limit": "`limit` of space search is an integer from 1 to 100.",
    "S4.1-wire-search-private": "A non-member gets 404 for the search in a private space.",
    "S4.1-wire-search-one": "A search covers one space, or the direct messages of the caller.",
    "D5-search-messages":
      "GET /wires/search finds the direct messages that the caller sent or received, as a space search does, as soon as they are stored.",
    "D5-search-messages-own":
      "A search of direct messages finds no message of others, no removed one, none that retention hides, and none that waits for approval; blocks, suspension and retirement change nothing.",
    "D5-search-syntax":
      'Words are ANDed; "a phrase", or and -not work as in websearch_to_tsquery of PostgreSQL.',
    "D5-search-no-error": "Nothing that a user types into a search is an error.",
    "D5-search-nothing": "A query without a usable word returns an empty list.",
    "D5-search-stemmed": "Words are compared after English stemming.",
    "D5-search-words":
      "A search finds words of any script, compounds as a whole and by their parts, and any part of text without word boundaries.",
    "D5-search-payload": "The strings inside payloads are searched.",
    "D5-search-pages": "Search pages have 50 wires by default; cursors are `s:` and an offset.",
    "D5-search-ranked":
      "The newest 2,000 matches are ranked by relevance, then newest first; older ones follow, newest first.",
    "D5-search-all": "The pages of a search contain every match exactly once.",
    "D5-search-terms": "A search uses the first 32 words, without stop words and repetitions.",
    "D5-search-cost": "No search delays other requests, and a search that takes too long ends with 503.",
    "D5-search-tombstones": "A removed wire is not found from the moment of its removal.",
  },
  switchboard: {
    "S4.1-search-type": "`type` of GET /search is required: handles, spaces or schemas.",
    "S4.1-search-browse": "Without `q`, GET /search returns every entity of the type.",
    "S4.1-search-tags": "Repeated `tags` parameters equal their comma-separated form.",
    "S4.1-search-filters":
      "`tags` and `accepts_schema` filter handles and spaces, and are ignored for schemas.",
    "S4.1-search-listed": "GET /search returns only discoverable handles and public spaces.",
    "S4.1-search-limit": "`limit` of GET /search is an integer from 1 to 50.",
    "S4.1-search-array": "GET /search returns one array without pages.",
    "D5-switchboard-words":
      "All words of `q` must occur, after stemming, in slug, display name, bio, description, subject or tags.",
    "D5-switchboard-tags": "An entity must have all tags that are given.",
    "D5-switchboard-accepts":
      "`accepts_schema` matches a rule that lists the ref or, without a version, any version of the subject.",
    "D5-switchboard-pinned":
      "A pinned ref also matches a rule that lists the subject unpinned, while it is the latest version.",
    "D5-switchboard-limit": "GET /search returns 20 results by default.",
  },
  tombstones: {
    "S3.2-removed-by-sender":
      "A wire that its sender deletes has a tombstone with `removed_by: sender` and `at`.",
    "S3.2-notice": "The recipient of a deleted DM wire gets a tombstone notice.",
    "S3.2-idempotent": "Deleting a wire again returns 200 and changes nothing.",
    "D5-tombstone-empties": "`text_body` and `payload` of a removed wire become null at once, everywhere.",
    "D5-tombstone-stays": "Removed wires stay in threads and feeds, and are left out of search.",
    "D5-feed-tombstones": "Removed wires stay in feeds as tombstones.",
    "D5-notice-unread": "The recipient gets a notice even if it has not read the wire yet.",
    "D5-notice-mod": "The sender of a wire that a mod removes gets a notice.",
    "D5-removal-notice": "A removal by the owner or a mod puts a notice into the inbox of the sender.",
    "D5-first-tombstone": "The first tombstone stands: deleting again returns the stored one.",
    "D5-removal-first": "The first tombstone stands: a removal by a mod does not replace it.",
  },
  retention: {
    "D15-retain": "With `--retain`, a wire older than that number of days is hidden.",
    "D15-retain-days": "`retain_days` of a space hides its wires; the shorter of the two wins.",
    "D15-retain-lists": "A hidden wire is in no list, and no list skips a wire that is left.",
    "D15-retain-single": "A hidden wire cannot be read, voted on or replied to: 404.",
    "D15-retain-replies":
      "Replies to a deleted wire keep `reply_to` and `thread_id`, and the thread keeps its id.",
    "D15-retain-cursors": "Cursors and checkpoints stay valid after wires were deleted.",
    "D15-retain-deleted":
      "A hidden wire is deleted from the database, with its votes, inbox items and search terms.",
    "D15-retain-held":
      "A wire that waits for its approval is not hidden; a rejected one is hidden with its approval.",
    "D15-retain-longer": "A longer time brings back wires that were not deleted yet.",
    "D15-retain-clock":
      "A daemon whose clock is more than a day away from what the database has last seen deletes nothing, and moves no times back, for 45 minutes.",
  },
} as const;
