/**
 * Tables of the embedded identity provider (docs/specification/identity.md#embedded-provider). Times are
 * milliseconds since 1970.
 */
export const identity = {
  id: 2,
  name: "identity",
  sql: [
    // Signing keys, cookie keys and the key for confirmation codes. The first daemon start creates them.
    `CREATE TABLE identity_secrets (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`,

    // E-mail addresses are stored trimmed and in lower case.
    `CREATE TABLE identity_users (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      password_hash TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`,

    // Unconfirmed sign-ups. Only the latest sign-up of each e-mail address is stored.
    `CREATE TABLE identity_sign_ups (
      email TEXT PRIMARY KEY,
      password_hash TEXT NOT NULL,
      code_hash TEXT NOT NULL,
      tries INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT`,
    `CREATE INDEX identity_sign_ups_expiry ON identity_sign_ups (expires_at)`,

    // Times of recent events as a JSON array, for rate limits. An event is, for example, a failed sign-in or
    // a mail to an address.
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
