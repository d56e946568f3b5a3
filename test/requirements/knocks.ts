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
  blocks: {
    "D6-block-account":
      "A block holds for every handle of the named handle's account, even later ones; GET /blocks lists the named one.",
    "D6-block-retired": "A block stays when the named handle is retired, and may name a retired handle.",
    "D6-block-own": "A block of a handle of the same account holds for that handle alone.",
  },
  "members-of-spaces": {
    "S2.6-member-roles":
      "Roles are owner, mod, poster and reader; an edit accepts mod, poster, reader and remove.",
    "S4.1-space-update-owner": "The owner may change every setting of a space.",
    "S4.1-space-update-mod": "A mod may change only posters and readers.",
    "S4.1-space-members": "`members` of PUT /spaces/{slug} is an array of `{handle, role}`.",
    "S4.1-space-transfer": "`transfer_owner` of PUT /spaces/{slug} names the new owner.",
    "D6-mod-members": "A mod may add, remove and switch posters and readers.",
    "D6-transfer": "Only `transfer_owner` changes the owner, to a member; the old owner becomes a mod.",
    "D6-transfer-audit": "A transfer is in the audit logs of both accounts.",
    "D6-owner-named": "Naming the owner in `members` is rejected with 400.",
    "D6-leave": "Every member except the owner may remove itself.",
  },
  consent: {
    "D6-consent":
      "Another account adds a handle, or gives it another role, only if it is open or a contact and has not blocked the caller.",
    "D6-consent-left":
      "A handle that left by itself is added only by a handle that has become its contact since.",
    "D6-consent-owner": "A space is transferred only within the account, or to a contact.",
  },
  "closed-spaces": {
    "D6-heir": "A space of a retired handle passes to its longest-standing mod of another account.",
    "D6-closed": "Without one, it is closed: readable, and every post is rejected with 403 POSTING_DENIED.",
  },
} as const;
