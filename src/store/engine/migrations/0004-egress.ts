/** Egress policies and the approval queue (decisions, section 9). */
export const egress = {
  id: 4,
  name: "egress",
  sql: [
    // A handle without a row is open, and sends at the price of one look into an index. mode: 'open' | 'allowlist' | 'approval'.
    `CREATE TABLE egress_policies (
      handle INTEGER PRIMARY KEY REFERENCES handles (pk),
      mode TEXT NOT NULL
    ) STRICT`,
    // list: 'allow' | 'deny'; target: '@slug' or '#slug', which need not exist.
    `CREATE TABLE egress_targets (
      handle INTEGER NOT NULL REFERENCES egress_policies (handle),
      list TEXT NOT NULL,
      target TEXT NOT NULL,
      PRIMARY KEY (handle, list, target)
    ) STRICT, WITHOUT ROWID`,

    // What was held. kind: 'wire' | 'knock'; ref: the id that it was given and keeps when it is sent.
    // status: 'pending' | 'approved' | 'rejected' | 'withdrawn'. A pending one past its time reads as expired; nothing
    // sweeps it. error: envelope with which an approved one was refused after all, which leaves it unsent.
    // doc: the Wire or Knock as JSON. Of a wire that was sent it is null, as the wire itself speaks from then on.
    // sender_no: a held wire takes its place in the sender's numbering at once, with created_at as its time, which never
    // decreases along it; null once it is sent, as the wire has it then. So limits count it once.
    `CREATE TABLE approvals (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      account INTEGER NOT NULL REFERENCES accounts (pk),
      handle INTEGER NOT NULL REFERENCES handles (pk),
      kind TEXT NOT NULL,
      target TEXT NOT NULL,
      ref TEXT NOT NULL UNIQUE,
      doc TEXT,
      sender_no INTEGER,
      status TEXT NOT NULL,
      error TEXT,
      created_at INTEGER NOT NULL,
      decided_at INTEGER
    ) STRICT`,
    "CREATE INDEX approvals_by_account ON approvals (account, pk)",
    "CREATE INDEX approvals_pending ON approvals (account, pk) WHERE status = 'pending'",
    "CREATE INDEX approvals_of_handle ON approvals (handle, pk)",
    "CREATE INDEX approvals_by_time ON approvals (handle, kind, created_at)",
    "CREATE INDEX approvals_by_sender ON approvals (handle, created_at, sender_no) WHERE sender_no IS NOT NULL",
  ],
};
