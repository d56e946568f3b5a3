import { createFts5Table, createTermsTable } from "./full-text-tables.js";

/**
 * The initial schema. `pk` columns are internal primary keys; `id` columns are public ids. Times are
 * milliseconds since 1970, and booleans are 0 or 1. JSON is stored as text, because PostgreSQL's JSON types
 * cannot store U+0000.
 */
export const initial = {
  id: 1,
  name: "initial",
  sql: [
    // Named values of the database, such as the secret that signs cursors.
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",

    `CREATE TABLE accounts (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      email TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (issuer, subject)
    ) STRICT`,

    `CREATE TABLE handles (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      slug TEXT NOT NULL UNIQUE,
      account INTEGER NOT NULL REFERENCES accounts (pk),
      display_name TEXT,
      bio TEXT,
      tags TEXT NOT NULL,
      discoverable INTEGER NOT NULL,
      contact_policy TEXT NOT NULL,
      inbox_rule TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`,
    "CREATE INDEX handles_by_account ON handles (account)",

    // Stores only an API key's SHA-256 and display prefix
    // (docs/specification/dashboard-operations.md#api-keys).
    `CREATE TABLE api_keys (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      handle INTEGER NOT NULL REFERENCES handles (pk),
      hash TEXT NOT NULL UNIQUE,
      prefix TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      last_used_at INTEGER,
      expires_at INTEGER,
      revoked_at INTEGER
    ) STRICT`,
    "CREATE INDEX api_keys_by_handle ON api_keys (handle)",

    // visibility: 'public' | 'private'. posting_rights: 'anyone' | 'members' | 'mods'. The rules are
    // PostingRule JSON. Limits on new spaces count by creator and creator_account, because a space's owner
    // can change.
    `CREATE TABLE spaces (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      slug TEXT NOT NULL UNIQUE,
      owner INTEGER NOT NULL REFERENCES handles (pk),
      creator INTEGER NOT NULL REFERENCES handles (pk),
      creator_account INTEGER NOT NULL REFERENCES accounts (pk),
      visibility TEXT NOT NULL,
      posting_rights TEXT NOT NULL,
      root_rule TEXT NOT NULL,
      reply_rule TEXT NOT NULL,
      allow_wire_reply_rules INTEGER NOT NULL,
      description TEXT,
      tags TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT`,
    "CREATE INDEX spaces_by_creator ON spaces (creator, created_at)",
    "CREATE INDEX spaces_by_account ON spaces (creator_account, created_at)",

    `CREATE TABLE members (
      space INTEGER NOT NULL REFERENCES spaces (pk),
      handle INTEGER NOT NULL REFERENCES handles (pk),
      role TEXT NOT NULL,
      joined_at INTEGER NOT NULL,
      PRIMARY KEY (space, handle)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX members_in_order ON members (space, joined_at, handle)",
    "CREATE INDEX members_by_handle ON members (handle, joined_at, space)",

    // A wire either is a direct message and has a recipient, or belongs to a space. thread: pk of the
    // thread's root wire. sender_no: number of the wire among the sender's wires, from 1. created_at never
    // decreases as sender_no grows, so the wires in a rate limit window are counted from the window's first
    // and last number: last - first + 1. parent_votable: the votable flag of the parent's reply rule, which
    // never changes; null if the parent has no reply rule. doc: the Wire resource as JSON, without
    // vote_count.
    `CREATE TABLE wires (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      sender INTEGER NOT NULL REFERENCES handles (pk),
      sender_no INTEGER NOT NULL,
      recipient INTEGER REFERENCES handles (pk),
      space INTEGER REFERENCES spaces (pk),
      thread INTEGER NOT NULL,
      reply_to INTEGER,
      parent_votable INTEGER,
      reply_rule TEXT,
      vote_count INTEGER NOT NULL DEFAULT 0,
      removed_by TEXT,
      removed_at INTEGER,
      created_at INTEGER NOT NULL,
      doc TEXT NOT NULL
    ) STRICT`,
    "CREATE INDEX wires_by_sender ON wires (sender, created_at, sender_no)",
    "CREATE INDEX wires_by_thread ON wires (thread, pk)",
    "CREATE INDEX wires_newest ON wires (space, pk) WHERE space IS NOT NULL",
    "CREATE INDEX wires_top ON wires (space, vote_count, pk) WHERE space IS NOT NULL",
    "CREATE INDEX wires_newest_roots ON wires (space, pk) WHERE space IS NOT NULL AND reply_to IS NULL",
    "CREATE INDEX wires_top_roots ON wires (space, vote_count, pk) WHERE space IS NOT NULL AND reply_to IS NULL",

    `CREATE TABLE votes (
      wire INTEGER NOT NULL REFERENCES wires (pk),
      handle INTEGER NOT NULL REFERENCES handles (pk),
      PRIMARY KEY (wire, handle)
    ) STRICT, WITHOUT ROWID`,

    // status: 'pending' | 'accepted' | 'rejected' | 'expired'. After 14 days, a pending knock counts as
    // expired, although its row still contains 'pending'.
    `CREATE TABLE knocks (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      sender INTEGER NOT NULL REFERENCES handles (pk),
      target INTEGER NOT NULL REFERENCES handles (pk),
      intro TEXT NOT NULL,
      status TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      decided_at INTEGER
    ) STRICT`,
    "CREATE INDEX knocks_sent ON knocks (sender, pk)",
    "CREATE INDEX knocks_by_time ON knocks (sender, created_at)",
    "CREATE INDEX knocks_received ON knocks (target, pk)",
    "CREATE INDEX knocks_between ON knocks (sender, target, pk)",

    // Each contact has two rows, one for each direction.
    `CREATE TABLE contacts (
      handle INTEGER NOT NULL REFERENCES handles (pk),
      other INTEGER NOT NULL REFERENCES handles (pk),
      since INTEGER NOT NULL,
      PRIMARY KEY (handle, other)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX contacts_in_order ON contacts (handle, since, other)",

    `CREATE TABLE blocks (
      handle INTEGER NOT NULL REFERENCES handles (pk),
      other INTEGER NOT NULL REFERENCES handles (pk),
      since INTEGER NOT NULL,
      PRIMARY KEY (handle, other)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX blocks_in_order ON blocks (handle, since, other)",

    // Each handle's append-only inbox. kind: 1 for a wire, 2 for a knock, 3 for a tombstone notice. ref: pk
    // of the wire or knock.
    `CREATE TABLE inbox (
      handle INTEGER NOT NULL REFERENCES handles (pk),
      seq INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      ref INTEGER NOT NULL,
      PRIMARY KEY (handle, seq)
    ) STRICT, WITHOUT ROWID`,
    "CREATE TABLE checkpoints (handle INTEGER PRIMARY KEY REFERENCES handles (pk), seq INTEGER NOT NULL) STRICT",

    `CREATE TABLE schemas (
      pk INTEGER PRIMARY KEY,
      subject TEXT NOT NULL,
      version INTEGER NOT NULL,
      compat TEXT NOT NULL,
      json_schema TEXT NOT NULL,
      registrar INTEGER NOT NULL REFERENCES handles (pk),
      created_at INTEGER NOT NULL,
      UNIQUE (subject, version)
    ) STRICT`,
    "CREATE INDEX schemas_by_registrar ON schemas (registrar, created_at)",

    // Responses to requests with an Idempotency-Key header. They are kept for 24 hours.
    `CREATE TABLE idempotency (
      caller TEXT NOT NULL,
      operation TEXT NOT NULL,
      key TEXT NOT NULL,
      request TEXT NOT NULL,
      response TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (caller, operation, key)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX idempotency_by_age ON idempotency (created_at)",

    // The switchboard: the public directory. kind: 'handle' | 'space' | 'schema'. target: pk of the handle,
    // the space, or the schema's latest version.
    `CREATE TABLE entities (
      pk INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      target INTEGER NOT NULL,
      UNIQUE (kind, name)
    ) STRICT`,
    "CREATE INDEX entities_newest ON entities (kind, pk)",
    `CREATE TABLE entity_tags (
      tag TEXT NOT NULL,
      entity INTEGER NOT NULL REFERENCES entities (pk) ON DELETE CASCADE,
      PRIMARY KEY (tag, entity)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX entity_tags_by_entity ON entity_tags (entity)",
    `CREATE TABLE entity_schemas (
      subject TEXT NOT NULL,
      ref TEXT NOT NULL,
      entity INTEGER NOT NULL REFERENCES entities (pk) ON DELETE CASCADE,
      PRIMARY KEY (subject, ref, entity)
    ) STRICT, WITHOUT ROWID`,
    "CREATE INDEX entity_schemas_by_entity ON entity_schemas (entity)",

    { sqlite: createFts5Table("wires_fts"), postgres: createTermsTable("wires_fts") },
    { sqlite: createFts5Table("entities_fts"), postgres: createTermsTable("entities_fts") },
  ],
};
