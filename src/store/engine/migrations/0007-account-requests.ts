/**
 * Sign-ups and password resets, which the user completes with a mailed code. They replace the table
 * `identity_sign_ups`, which had one row per address and so let a later sign-up replace an earlier one's
 * password. Times are milliseconds since 1970.
 */
export const accountRequests = {
  id: 7,
  name: "account-requests",
  sql: [
    // `holder` distinguishes requests for the same address: the password hash of a sign-up, or the source of
    // a reset. `source` is the network address that last asked for a mail. `mail_due_at` is null if no mail
    // is waiting.
    `CREATE TABLE identity_requests (
      id TEXT PRIMARY KEY,
      purpose TEXT NOT NULL,
      email TEXT NOT NULL,
      holder TEXT NOT NULL,
      source TEXT NOT NULL,
      code_hash TEXT,
      code_expires_at INTEGER,
      tries INTEGER NOT NULL DEFAULT 0,
      other_tries INTEGER NOT NULL DEFAULT 0,
      created_at INTEGER NOT NULL,
      mail_due_at INTEGER,
      UNIQUE (email, purpose, holder)
    ) STRICT`,
    `CREATE INDEX identity_requests_source ON identity_requests (source)`,
    `CREATE INDEX identity_requests_created ON identity_requests (created_at)`,
    `CREATE INDEX identity_requests_mail ON identity_requests (mail_due_at) WHERE mail_due_at IS NOT NULL`,

    // Mails sent during the last day. They determine the minimum delay before the next mail.
    `CREATE TABLE identity_sent_mails (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL,
      source TEXT NOT NULL,
      sent_at INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX identity_sent_mails_email ON identity_sent_mails (email, sent_at)`,
    `CREATE INDEX identity_sent_mails_source ON identity_sent_mails (source, sent_at)`,
    `CREATE INDEX identity_sent_mails_sent ON identity_sent_mails (sent_at)`,

    // Counts password changes. Sessions and refresh tokens of an earlier version are invalid.
    `ALTER TABLE identity_users ADD COLUMN version INTEGER NOT NULL DEFAULT 0`,

    // An old pending sign-up may contain a stranger's password, so the address's owner must sign up again.
    `DELETE FROM identity_sign_ups`,
  ],
};
