/** Migrations from number 11 on, each with a few statements, in the order of their ids. */
import { addTokensVersion, markAllStale } from "./full-text-tables.js";

const REPLY = "WHERE recipient IS NOT NULL AND reply_to IS NOT NULL";

export const laterMigrations = [
  // Stores the trace context that a wire's sender provided (docs/observability.md#traces).
  {
    id: 11,
    name: "wire-traces",
    sql: [
      // Contains only wires that were sent in a sampled trace to a daemon that exports traces. `id` is the
      // wire's id.
      `CREATE TABLE wire_traces (
        id TEXT PRIMARY KEY,
        traceparent TEXT NOT NULL,
        created_at INTEGER NOT NULL
      ) STRICT`,
      "CREATE INDEX wire_traces_age ON wire_traces (created_at)",
    ],
  },
  // Humans' sign-ins, and deleted accounts (docs/specification/dashboard-operations.md#sign-ins). Times are
  // milliseconds since 1970.
  {
    id: 12,
    name: "sign-ins",
    sql: [
      // A sign-in to one of Wireroom's own clients: an authorization server's grant that has received a
      // refresh token. `human` identifies the human at the authorization server. `last_used_at` and
      // `expires_at` describe the latest refresh token.
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

      // A deleted account has no e-mail address, and its issuer and subject become free for a new account.
      // For some time, `former_identity` keeps their SHA-256. During this time, ID tokens issued before
      // `refused_before` cannot create an account.
      "ALTER TABLE accounts ADD COLUMN deleted_at INTEGER",
      "ALTER TABLE accounts ADD COLUMN former_identity TEXT",
      "ALTER TABLE accounts ADD COLUMN refused_before INTEGER",
      "CREATE INDEX accounts_deleted ON accounts (former_identity) WHERE former_identity IS NOT NULL",
    ],
  },
  // The reasons that operators give (docs/specification/dashboard-operations.md#operators).
  {
    id: 13,
    name: "reasons",
    sql: ["ALTER TABLE audit ADD COLUMN reason TEXT"],
  },
  // Lists wires that were sent after approval, in sending order (docs/specification/reading.md#sent-wires).
  {
    id: 14,
    name: "sent-approvals",
    sql: [
      // Primary key of the wire that was sent after approval. This wire keeps the time and number from when
      // it was held, so the index by sender does not list it in sending order.
      "ALTER TABLE approvals ADD COLUMN wire INTEGER",
      "UPDATE approvals SET wire = (SELECT w.pk FROM wires w WHERE w.id = approvals.ref) WHERE kind = 'wire' AND doc IS NULL",
      "CREATE INDEX approvals_sent ON approvals (handle, wire) WHERE wire IS NOT NULL",
    ],
  },
  // Replaces two indexes by sender with one, for limits, sent wires and exports. Each post changes a page in
  // every index by sender, and other posts of the batch rarely share this page, so fewer indexes make posting
  // faster.
  {
    id: 15,
    name: "sender-index",
    // Migrations 14 to 16 each lock only one table, so that they cannot deadlock with a running daemon.
    sql: [
      // Includes the targets, so that a filter of GET /sent reads only matching wires. IF NOT EXISTS is
      // needed because an earlier form of migration 14, before its split into 14 to 16, created this index.
      "CREATE INDEX IF NOT EXISTS wires_of_sender ON wires (sender, created_at, sender_no, recipient, space)",
    ],
  },
  // Drops the indexes that migration 15 replaces.
  {
    id: 16,
    name: "former-sender-indexes",
    sql: ["DROP INDEX IF EXISTS wires_by_sender", "DROP INDEX IF EXISTS wires_sent"],
  },
  // The order in which waiting mails are sent (docs/specification/identity.md#mails).
  {
    id: 17,
    name: "mail-turns",
    sql: [
      // Time when the mail began to wait, or when its source last sent a mail to the address, whichever is
      // later. Unlike `mail_due_at`, this time does not change while sending is not allowed. Null for a mail
      // of an earlier version.
      "ALTER TABLE identity_requests ADD COLUMN waits_since INTEGER",
    ],
  },
  // Indexes for account limits: find an account's newest handles, and its handles that are active or recently
  // retired.
  {
    id: 18,
    name: "account-handles",
    sql: [
      "CREATE INDEX handles_by_creation ON handles (account, created_at)",
      // An active handle gets a retirement time in the far future, so that one range scan finds active and
      // recently retired handles.
      "CREATE INDEX handles_by_retirement ON handles (account, COALESCE(retired_at, 9007199254740991))",
    ],
  },
  // Index for handle limits: counts the keys that are not revoked.
  {
    id: 19,
    name: "live-keys",
    sql: ["CREATE INDEX api_keys_live ON api_keys (handle, expires_at) WHERE revoked_at IS NULL"],
  },
  // A block applies to all handles of the blocked handle's account (docs/specification/knocks.md#blocks).
  {
    id: 20,
    name: "account-blocks",
    sql: [
      // The account of `other`. Null in a row of an earlier version, and if both handles belong to the same
      // account, because such a block applies to `other` alone.
      "ALTER TABLE blocks ADD COLUMN account INTEGER",
      `UPDATE blocks SET account = (SELECT o.account FROM handles o WHERE o.pk = blocks.other)
        WHERE (SELECT o.account FROM handles o WHERE o.pk = blocks.other) <> (SELECT h.account FROM handles h WHERE h.pk = blocks.handle)`,
      "CREATE INDEX blocks_by_account ON blocks (handle, account) WHERE account IS NOT NULL",
    ],
  },
  // Handles that have left spaces, and retired handles whose rows are not erased yet.
  {
    id: 21,
    name: "departures",
    sql: [
      // A handle that left a space by its own choice and has not become a member again
      // (docs/specification/knocks.md#members-of-spaces).
      `CREATE TABLE departures (
        handle INTEGER NOT NULL REFERENCES handles (pk),
        space INTEGER NOT NULL REFERENCES spaces (pk),
        left_at INTEGER NOT NULL,
        PRIMARY KEY (handle, space)
      ) STRICT, WITHOUT ROWID`,
      // A retired handle whose memberships, contacts and other rows are not erased yet. `accounts/erasure.ts`
      // erases these rows in small steps.
      "CREATE TABLE erasures (handle INTEGER PRIMARY KEY REFERENCES handles (pk)) STRICT",
    ],
  },
  // Accounts that an operator has suspended (docs/specification/dashboard-operations.md#operators).
  {
    id: 22,
    name: "account-suspension",
    // While suspended_at is set, the account cannot create handles. Existing handles are suspended by their
    // own column.
    sql: ["ALTER TABLE accounts ADD COLUMN suspended_at INTEGER"],
  },
  // Whether a handle may publish (docs/specification/dashboard-operations.md#egress-policies).
  {
    id: 23,
    name: "publish",
    sql: [
      // 0 or 1. A handle without a row may publish.
      "ALTER TABLE egress_policies ADD COLUMN publish INTEGER NOT NULL DEFAULT 1",
    ],
  },
  // Indexes of the direct messages that one handle sees in a thread, so that a read does not scan messages
  // between other handles. Root wires are left out, because a root wire's primary key is the thread itself.
  {
    id: 24,
    name: "dm-thread-indexes",
    sql: [
      `CREATE INDEX wires_sent_in_thread ON wires (thread, sender, pk) ${REPLY}`,
      `CREATE INDEX wires_received_in_thread ON wires (thread, recipient, pk) ${REPLY}`,
      // On SQLite, a smaller index for space threads replaces wires_by_thread. On PostgreSQL, the old index
      // stays, because daemons of the previous version use it until they stop.
      {
        sqlite: "CREATE INDEX wires_in_space_thread ON wires (thread, pk) WHERE space IS NOT NULL",
      },
      { sqlite: "DROP INDEX wires_by_thread" },
    ],
  },
  // Indexes of audit entries by action, so that a filter of GET /audit reads only matching entries.
  {
    id: 25,
    name: "audit-action-indexes",
    sql: [
      "CREATE INDEX audit_by_action ON audit (account, action, at, pk)",
      "CREATE INDEX audit_by_handle_action ON audit (handle, action, at, pk)",
    ],
  },
  // Indexes for lists by status and for live connections, so that a read does not skip over other rows.
  {
    id: 26,
    name: "status-indexes",
    sql: [
      "CREATE INDEX knocks_received_by_status ON knocks (target, status, pk)",
      "CREATE INDEX knocks_sent_by_status ON knocks (sender, status, pk)",
      "CREATE INDEX approvals_by_status ON approvals (account, status, pk)",
      "CREATE INDEX approvals_of_handle_by_status ON approvals (account, handle, status, pk)",
      "CREATE INDEX api_keys_in_order ON api_keys (handle, pk)",
      "CREATE INDEX connections_live ON connections (handle, pk) WHERE ended_at IS NULL AND issued_at IS NOT NULL",
    ],
  },
  // Mark all rows of the full-text indexes as outdated. The daemon reindexes them while it serves
  // requests.
  {
    id: 27,
    name: "wire-tokens",
    sql: [{ sqlite: markAllStale("wires_fts"), postgres: addTokensVersion("wires_fts") }],
  },
  {
    id: 28,
    name: "entity-tokens",
    sql: [{ sqlite: markAllStale("entities_fts"), postgres: addTokensVersion("entities_fts") }],
  },
  // The former addresses of humans who signed in on the daemon's machine
  // (docs/specification/identity.md#local-sign-in).
  {
    id: 29,
    name: "local-addresses",
    sql: [
      // The address at `localhost` that a user had before getting a password; null for all others.
      "ALTER TABLE identity_users ADD COLUMN local_email TEXT",
      "CREATE UNIQUE INDEX identity_users_local ON identity_users (local_email) WHERE local_email IS NOT NULL",
    ],
  },
  // Claims of wires (docs/specification/rules.md#claims). `wires.parent_votable` now also tells whether the
  // parent's reply rule is claimable: it is the sum of 1 for votable and 2 for claimable.
  {
    id: 30,
    name: "claims",
    sql: [
      // A row per wire that was ever claimed and was not removed. attempt: the number of claims so far.
      // holder: the handle that made the last claim. until: when this claim expires; 0 if it was ended early;
      // 9007199254740991 if the wire is done for good. done: 1 if the holder has finished the claim. reply:
      // id of the held reply that finished the claim; `until` is then the time at which the approval of that
      // reply expires.
      `CREATE TABLE claims (
        wire INTEGER PRIMARY KEY REFERENCES wires (pk),
        space INTEGER NOT NULL REFERENCES spaces (pk),
        attempt INTEGER NOT NULL,
        holder INTEGER NOT NULL REFERENCES handles (pk),
        until INTEGER NOT NULL,
        done INTEGER NOT NULL,
        reply TEXT
      ) STRICT`,
      "CREATE INDEX claims_unfinished ON claims (space, attempt, wire) WHERE until < 9007199254740991",
      "CREATE INDEX claims_held ON claims (holder, until) WHERE until < 9007199254740991",
      "CREATE INDEX claims_by_holder ON claims (holder, wire)",
      "CREATE INDEX claims_by_reply ON claims (reply) WHERE reply IS NOT NULL",
    ],
  },
  // When handles last read their inboxes (docs/specification/sending.md#last-pull).
  {
    id: 31,
    name: "last-pulls",
    sql: [
      // The minute in which the handle last began to read its inbox; null if it has not done so since this
      // migration.
      "ALTER TABLE checkpoints ADD COLUMN pulled_at INTEGER",
    ],
  },
  // A human's comment for the handle on the decision about a held wire or knock.
  {
    id: 32,
    name: "approval-notes",
    sql: ["ALTER TABLE approvals ADD COLUMN note TEXT"],
  },
  // Notices in inboxes (docs/specification/reading.md#inbox).
  {
    id: 33,
    name: "inbox-notices",
    sql: [
      // 1 for the decision on an approval, 2 for a mention, 3 for a reply; otherwise null. If it is set, kind
      // is 3, and ref is the negative pk of the approval or wire. A daemon of an earlier version then looks
      // for a removed wire, finds none and skips the item.
      "ALTER TABLE inbox ADD COLUMN notice INTEGER",
    ],
  },
  // Mentions in wires, and who is notified of them (docs/specification/sending.md#mentions).
  {
    id: 34,
    name: "mentions",
    sql: [
      // A row for each mention in a wire that was sent or held. Only the limit mentions_per_hour counts them.
      `CREATE TABLE mentions (
        pk INTEGER PRIMARY KEY,
        sender INTEGER NOT NULL REFERENCES handles (pk),
        created_at INTEGER NOT NULL
      ) STRICT`,
      "CREATE INDEX mentions_by_sender ON mentions (sender, created_at)",
      "CREATE INDEX mentions_age ON mentions (created_at)",
    ],
  },
  {
    id: 35,
    name: "space-notices",
    // 'all' | 'mentions' | 'none'
    sql: ["ALTER TABLE handles ADD COLUMN space_notices TEXT NOT NULL DEFAULT 'all'"],
  },
  // Indexes for lists of wires by the state of their claim, so that a read does not skip over other wires.
  {
    id: 36,
    name: "claim-states",
    sql: [
      "CREATE INDEX claims_done ON claims (space, wire) WHERE done = 1",
      "CREATE INDEX claims_in_order ON claims (space, wire, until) WHERE until < 9007199254740991",
    ],
  },
  // Mails that tell humans how much waits for approval
  // (docs/specification/dashboard-operations.md#mails-about-approvals).
  {
    id: 37,
    name: "approval-mails",
    sql: [
      // 1 if the human wants these mails, otherwise 0.
      "ALTER TABLE accounts ADD COLUMN approval_mails INTEGER NOT NULL DEFAULT 0",
      // When the last of these mails was queued, and the newest approval at that time; 0 if there was none.
      "ALTER TABLE accounts ADD COLUMN approvals_mailed_at INTEGER NOT NULL DEFAULT 0",
      "ALTER TABLE accounts ADD COLUMN last_mailed_approval INTEGER NOT NULL DEFAULT 0",
      "CREATE INDEX accounts_with_approval_mails ON accounts (pk) WHERE approval_mails = 1",
    ],
  },
  // The names that humans give to keys.
  {
    id: 38,
    name: "key-names",
    sql: ["ALTER TABLE api_keys ADD COLUMN name TEXT"],
  },
  // What entries of the audit log say beside their subject.
  {
    id: 39,
    name: "audit-details",
    sql: ["ALTER TABLE audit ADD COLUMN detail TEXT"],
  },
];
