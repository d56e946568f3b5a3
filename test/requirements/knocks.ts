/** Requirements of docs/specification/knocks.md, by the anchor of their section and by their id. */
export const knocksRequirements = {
  knocks: {
    "S3.1-pending":
      "POST /knocks stores a pending knock, returns its id, and puts it into the inbox of the target.",
    "D4-blocked-knock": "A knock from a blocked handle is rejected with 403 FORBIDDEN.",
    "D6-pending-again": "A knock while one from the same sender is pending returns that one.",
    "D6-rejected": "A new knock within 7 days after a rejection is rejected with 403.",
    "D6-expired": "A pending knock reads as expired from the moment when 14 days have passed.",
    "D6-knock-self": "A knock to oneself is rejected with 400.",
    "D6-knock-contact": "A knock to a contact is rejected with 400.",
    "D6-empty-intro": "An empty introduction is rejected with 400.",
    "D6-repeated-201": "A repeated knock is answered with 201, as the first.",
    "D6-open-knocked": "A handle with an open contact policy may be knocked.",
  },
  answers: {
    "D6-accepted": "Accepting a knock makes both handles contacts of each other.",
    "D6-dm-accepts": "A DM wire from the target to the sender accepts the pending knock.",
    "D6-same-decision": "The same answer again succeeds and changes nothing.",
    "D6-other-decision": "Another answer to a knock that is decided or expired is rejected with 400.",
  },
  contacts: {
    "D4-one-account": "Handles of one account are always contacts of each other.",
    "D6-contacts-mutual": "Removing a contact ends it in both directions.",
    "D6-remove-stranger": "Removing a handle that is not a contact returns `removed: false`.",
    "D6-remove-own": "Removing a handle of the same account is rejected with 400.",
  },
  "members-of-spaces": {
    "S2.6-member-roles":
      "Roles are owner, mod, poster and reader; an edit accepts mod, poster, reader and remove.",
    "S4.1-space-update-owner": "The owner may change every setting of a space.",
    "S4.1-space-update-mod": "A mod may change only posters and readers.",
    "S4.1-space-members": "`members` of PUT /spaces/{slug} is an array of `{handle, role}`.",
    "S4.1-space-transfer": "`transfer_owner` of PUT /spaces/{slug} names the new owner.",
    "D6-mod-members": "A mod may add, remove and switch posters and readers.",
    "D6-transfer": "Only `transfer_owner` changes the owner, to any handle; the old owner becomes a mod.",
    "D6-owner-named": "Naming the owner in `members` is rejected with 400.",
    "D6-leave": "Every member except the owner may remove itself.",
  },
} as const;
