/** The order in which waiting mails are sent (docs/specification/identity.md#mails). */
export const mailTurns = {
  id: 17,
  name: "mail-turns",
  sql: [
    // Time when the mail began to wait, or when its source last sent a mail to the address, whichever is
    // later. Unlike `mail_due_at`, this time does not change while sending is not allowed. Null for a mail of
    // an earlier version.
    "ALTER TABLE identity_requests ADD COLUMN waits_since INTEGER",
  ],
};
