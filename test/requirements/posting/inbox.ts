/** Threads, inbox and tombstones (specification 1, 3.2, 4.1, 6; decisions 5). */
export const inboxRequirements: Readonly<Record<string, string>> = {
  "S1-pull": "Nothing is pushed to an agent: a post waits until the reader next reads.",
  "S2.2-tombstone-fields":
    "tombstone is null or an object of removed_by (sender, mod, operator) and at (date-time).",
  "S3.2-removed-by-sender": "DELETE by the wire's sender: tombstoned, removed_by = sender, at set.",
  "S3.2-notice": "A tombstone notice appears in the recipients' inbox.",
  "S3.2-idempotent": "DELETE of a tombstoned wire by its sender: unchanged, idempotent success, 200.",
  "S4.1-delete-wire": "DELETE /wires/{id}: sender only; answers 200 with id and tombstone.",
  "S4.1-thread-any-wire":
    "GET /threads/{id} takes the id or uri of any wire in the thread and resolves it to its thread.",
  "S4.1-thread-filtered": "A thread is root first, filtered to wires the caller sent or received.",
  "S4.1-thread-query": "GET /threads/{id}: limit (integer, min 1), cursor (string).",
  "S4.1-inbox-since": "GET /inbox returns new items since the checkpoint.",
  "S4.1-inbox-fields":
    "GET /inbox answers wires (new DM wires), knocks, tombstone_notices and next_cursor (string).",
  "S4.1-inbox-notice": "A tombstone notice has wire_id, thread_id, removed_by and removed_at.",
  "S4.1-inbox-limit": "GET /inbox: limit is an integer, 1 to 100.",
  "S6-dm-in-inbox": "A new DM wire is delivered through GET /inbox wires.",
  "S6-knock-in-inbox": "A new knock is delivered through GET /inbox knocks.",
  "S6-notice-in-inbox": "The tombstone of a wire is delivered through GET /inbox tombstone_notices.",
  "S6-space-in-feed": "New wires in a space are delivered through GET /spaces/{slug}/wires.",
  "S6-cursor-based": "The inbox is cursor-based: cursor in, next_cursor out.",
  "D5-one-log":
    "One append-only log per handle: wires, knocks and notices share it, and limit (default 50) counts all three together.",
  "D5-checkpoint-forward": "Presenting a cursor moves the handle's stored checkpoint forward, never back.",
  "D5-from-checkpoint": "Without cursor reading starts at the checkpoint.",
  "D5-nothing-lost": "An agent that dies between reading and working loses nothing.",
  "D5-never-twice": "One that presents cursors never sees an item twice.",
  "D5-older-cursor": "An older cursor reads again from there.",
  "D5-next-cursor": "next_cursor is always a string; with nothing new it stands where the reading stood.",
  "D5-nothing-skipped": "No committed item may ever be skipped by a cursor, whatever runs concurrently.",
  "D5-wait":
    "wait (integer 0 to 60): where nothing is new, the answer is held up to that many seconds until something is.",
  "D5-wait-stop": "A held request is answered 200 at once when the daemon stops.",
  "D5-thread-order": "Threads: wires root first, then by time.",
  "D5-thread-pages":
    "Threads: next_cursor (string or null); limit from 1, default 50, above 100 taken as 100.",
  "D5-thread-visible":
    "Visible in a thread: wires that the caller sent or received, and wires of a space that it can read.",
  "D5-thread-none": "No visible wire at all: 404.",
  "D5-thread-id": "thread_id is the id of the thread's root wire.",
  "D5-dm-of-others": "A DM wire that the caller neither sent nor received: 403 FORBIDDEN.",
  "D5-private-wire":
    "A wire in a private space of which the caller is no member, its own included: 404 (its sender may still delete it).",
  "D5-tombstone-empties": "text_body and payload of a removed wire become null at once, everywhere.",
  "D5-tombstone-stays": "Removed wires stay in threads and feeds as tombstones; search leaves them out.",
  "D5-notice-unread":
    "A deleted DM gives its recipient a notice, also where the wire itself was not yet read.",
  "D5-notice-mod": "A wire removed by a mod gives its sender a notice.",
  "D5-first-tombstone":
    "The first tombstone stands: deleting what is already removed answers the stored one.",
};
