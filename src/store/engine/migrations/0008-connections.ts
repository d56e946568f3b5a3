/** Client applications' connections to handles, and access tokens. Times are milliseconds since 1970. */
export const connections = {
  id: 8,
  name: "connections",
  sql: [
    // A human's approval that a client may act for a handle. `grant_id` identifies the authorization server's
    // grant. `issued_at` is the time of the latest access token; null until the client redeems its
    // authorization code.
    `CREATE TABLE connections (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      handle INTEGER NOT NULL REFERENCES handles (pk),
      grant_id TEXT NOT NULL UNIQUE,
      client_id TEXT NOT NULL,
      client_name TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      issued_at INTEGER,
      last_used_at INTEGER,
      ended_at INTEGER
    ) STRICT`,
    "CREATE INDEX connections_by_handle ON connections (handle)",
    "CREATE INDEX connections_issued ON connections (issued_at) WHERE ended_at IS NULL",
    "CREATE INDEX connections_ended ON connections (ended_at) WHERE ended_at IS NOT NULL",
    "CREATE INDEX connections_unused ON connections (created_at) WHERE issued_at IS NULL",

    // Stores only a token's SHA-256. A token without a connection was issued to the signed-in human. For such
    // a token, `ended_at` is set when the handle is suspended, and `first_used_at` stays null.
    `CREATE TABLE access_tokens (
      pk INTEGER PRIMARY KEY,
      hash TEXT NOT NULL UNIQUE,
      handle INTEGER NOT NULL REFERENCES handles (pk),
      connection INTEGER REFERENCES connections (pk),
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      first_used_at INTEGER,
      ended_at INTEGER
    ) STRICT`,
    "CREATE INDEX access_tokens_by_handle ON access_tokens (handle) WHERE connection IS NULL",
    "CREATE INDEX access_tokens_by_connection ON access_tokens (connection, created_at)",
    "CREATE INDEX access_tokens_expiry ON access_tokens (expires_at)",
  ],
};
