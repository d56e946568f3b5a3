/** The order of mails that wait (docs/specification/identity.md#mails). */
export const mailTurns = {
  id: 17,
  name: "mail-turns",
  sql: [
    // When the mail began to wait, or when its source last sent one to the address, if that was later. Unlike
    // `mail_due_at`, it stays the same while no mail may be sent. Null for a mail of an earlier version.
    "ALTER TABLE identity_requests ADD COLUMN waits_since INTEGER",
  ],
};
