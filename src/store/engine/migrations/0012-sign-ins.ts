/**
 * Humans' sign-ins, and deleted accounts (docs/specification/dashboard-operations.md#sign-ins,
 * #deleting-the-account). Times are milliseconds since 1970.
 */
export const signIns = {
  id: 12,
  name: "sign-ins",
  sql: [
    // A sign-in to one of Wireroom's own clients: an authorization server's grant that has received a refresh
    // token. `human` identifies the human at the authorization server. `last_used_at` and `expires_at`
    // describe the latest refresh token.
    `CREATE TABLE sign_ins (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      human TEXT NOT NULL,
      grant_id TEXT NOT NULL UNIQUE,
      client_id TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      ended_at INTEGER
    ) STRICT`,
    "CREATE INDEX sign_ins_by_human ON sign_ins (human, pk)",
    "CREATE INDEX sign_ins_expiry ON sign_ins (expires_at)",

    // The sign-in whose ID token requested the access token; null for a connection's tokens.
    "ALTER TABLE access_tokens ADD COLUMN grant_id TEXT",
    "CREATE INDEX access_tokens_by_grant ON access_tokens (grant_id) WHERE grant_id IS NOT NULL",

    // The human that a record is about; null if it is about nobody, or if an earlier version stored the
    // record.
    "ALTER TABLE identity_records ADD COLUMN human TEXT",
    "CREATE INDEX identity_records_human ON identity_records (human) WHERE human IS NOT NULL",

    // A deleted account has no e-mail address, and its issuer and subject become free for a new account. For
    // some time, `former_identity` keeps their SHA-256. During this time, ID tokens issued before
    // `refused_before` cannot create an account.
    "ALTER TABLE accounts ADD COLUMN deleted_at INTEGER",
    "ALTER TABLE accounts ADD COLUMN former_identity TEXT",
    "ALTER TABLE accounts ADD COLUMN refused_before INTEGER",
    "CREATE INDEX accounts_deleted ON accounts (former_identity) WHERE former_identity IS NOT NULL",
  ],
};
