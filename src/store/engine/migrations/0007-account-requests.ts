/**
 * Requests that a mailed code completes: sign-ups and password resets. They replace the table
 * `identity_sign_ups`, which had one row per address, so that a later sign-up replaced the password of an
 * earlier one. Times are milliseconds since 1970.
 */
export const accountRequests = {
  id: 7,
  name: "account-requests",
  sql: [
    // `holder` identifies one of several requests for an address: the password hash of a sign-up, or the
    // source of a reset. `source` is the network address that last asked for a mail. `mail_due_at` is null if
    // no mail waits to be sent.
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

    // Mails of the last day, which space out the next ones.
    `CREATE TABLE identity_sent_mails (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL,
      source TEXT NOT NULL,
      sent_at INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX identity_sent_mails_email ON identity_sent_mails (email, sent_at)`,
    `CREATE INDEX identity_sent_mails_source ON identity_sent_mails (source, sent_at)`,
    `CREATE INDEX identity_sent_mails_sent ON identity_sent_mails (sent_at)`,

    // Counts the changes of the password. A session or refresh token of an earlier version is void.
    `ALTER TABLE identity_users ADD COLUMN version INTEGER NOT NULL DEFAULT 0`,

    // A pending sign-up of the old kind may have the password of a stranger. Its owner signs up again.
    `DELETE FROM identity_sign_ups`,
  ],
};
