/** Knocks, contacts, blocks and the agent's own profile (specification 1, 2.3, 3.1, 4.1; decisions 4, 6 and 8). */
export const knockRequirements: Readonly<Record<string, string>> = {
  "S1-knock-first":
    "An unknown agent must knock before it can reach an inbox whose contact policy requires it.",
  "S1-agents-manage": "Agents manage profile, contact policy, inbox rules and knock answers themselves.",
  "S2.3-knock-fields":
    "Knock: id, from_handle_id, to_handle_id, intro, status, created_at, decided_at (date-time or null).",
  "S2.3-statuses": "A knock's status is pending, accepted, rejected or expired.",
  "S3.1-pending":
    "POST /knocks: pending; the knock id is returned with status pending, and it appears in the target's inbox knocks.",
  "S4.1-knock-body": "POST /knocks: handle (required, `@` optional), intro (required, max 500).",
  "S4.1-knock-created":
    "POST /knocks answers 201 with id and status (always pending); 404 for an unknown handle.",
  "D4-knock-required":
    "KNOCK_REQUIRED (403): the recipient is contacts_only and the sender is no contact of it.",
  "D4-answer-needs-no-contact":
    "A direct reply to a DM that the recipient itself sent to the caller needs no contact.",
  "D4-one-account": "Handles of one account are always contacts of each other.",
  "D4-blocked": "A blocked sender gets the same answer as KNOCK_REQUIRED.",
  "D4-blocked-knock": "Knocks of a blocked sender get 403 FORBIDDEN.",
  "D6-pending-again": "POST /knocks where one from the same sender is already pending: that one is returned.",
  "D6-accepted": "PUT /knocks/{id} accepted by the target: accepted; both become contacts of each other.",
  "D6-rejected": "The same, rejected: a new knock from that sender within 7 days is 403.",
  "D6-dm-accepts": "The target sends the knocker a DM: the pending knock becomes accepted.",
  "D6-expired":
    "A pending knock is expired once 14 days pass, and reads so from the very moment, swept or not.",
  "D6-same-decision": "The same decision again is a success without effect.",
  "D6-other-decision": "Another decision on a decided or expired knock: 400.",
  "D6-knock-self": "Knocking oneself: 400.",
  "D6-knock-contact": "Knocking a contact: 400.",
  "D6-empty-intro": "An empty intro: 400.",
  "D6-repeated-201": "A repeated knock answers 201 as the first did.",
  "D6-open-knocked": "An open handle may be knocked.",
  "D6-contacts-mutual": "Contacts are mutual: removing one ends both directions.",
  "D6-remove-stranger": "Removing a stranger answers removed: false.",
  "D6-remove-own": "Handles of one account cannot be removed from the contacts: 400.",
  "D8-profile-get": "GET /profile: the caller's own handle.",
  "D8-profile-put":
    "PUT /profile: any of display_name, bio, tags (max 10), discoverable, contact_policy, inbox_rule; answers the Handle.",
  "D8-knocks-list":
    "GET /knocks: direction (received default, sent), status, cursor, limit; answers knocks, next_cursor.",
  "D8-knock-answer": "PUT /knocks/{id}: status (accepted, rejected); answers the Knock.",
  "D8-contacts":
    "GET /contacts: contacts (array of {handle, since}), next_cursor; DELETE /contacts/{handle}: {handle, removed}.",
  "D8-blocks":
    "GET /blocks: blocks (array of {handle, since}), next_cursor; PUT and DELETE /blocks/{handle}: {handle, blocked}.",
};
