/**
 * Tables of the embedded identity provider (docs/specification/identity.md#embedded-provider). Times are
 * milliseconds since 1970.
 */
export const identity = {
  id: 2,
  name: "identity",
  sql: [
    // Signing keys, cookie keys and the key for confirmation codes. They are created when the daemon first
    // starts.
    `CREATE TABLE identity_secrets (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`,

    // The stored e-mail addresses are trimmed and in lower case.
    `CREATE TABLE identity_users (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      password_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`,

    // Sign-ups that are not confirmed yet. For each e-mail address, only the latest sign-up is stored.
    `CREATE TABLE identity_sign_ups (
      email TEXT PRIMARY KEY,
      password_hash TEXT NOT NULL,
      code_hash TEXT NOT NULL,
      tries INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX identity_sign_ups_expiry ON identity_sign_ups (expires_at)`,

    // Times of recent events as a JSON array, for rate limits. Events are, for example, failed sign-ins or
    // mails to an address.
    `CREATE TABLE identity_throttles (
      id TEXT PRIMARY KEY,
      times TEXT NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX identity_throttles_expiry ON identity_throttles (expires_at)`,

    // State of the OpenID provider: tokens, codes, grants, sessions and interactions.
    `CREATE TABLE identity_records (
      model TEXT NOT NULL,
      id TEXT NOT NULL,
      payload TEXT NOT NULL,
      grant_id TEXT,
      user_code TEXT,
      uid TEXT,
      consumed_at INTEGER,
      expires_at INTEGER NOT NULL,
      PRIMARY KEY (model, id)
    ) STRICT`,
    `CREATE INDEX identity_records_grant ON identity_records (grant_id) WHERE grant_id IS NOT NULL`,
    `CREATE INDEX identity_records_user_code ON identity_records (user_code) WHERE user_code IS NOT NULL`,
    `CREATE INDEX identity_records_uid ON identity_records (uid) WHERE uid IS NOT NULL`,
    `CREATE INDEX identity_records_expiry ON identity_records (expires_at)`,
  ],
};
