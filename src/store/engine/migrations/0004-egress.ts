/**
 * Tables for egress policies and the approval queue
 * (docs/specification/dashboard-operations.md#egress-policies).
 */
export const egress = {
  id: 4,
  name: "egress",
  sql: [
    // mode: 'open' | 'allowlist' | 'approval'. A handle without a row has the mode 'open'.
    `CREATE TABLE egress_policies (
      handle INTEGER PRIMARY KEY REFERENCES handles (pk),
      mode TEXT NOT NULL
    ) STRICT`,
    // list: 'allow' | 'deny'. target: '@slug' or '#slug'. The target does not have to exist.
    `CREATE TABLE egress_targets (
      handle INTEGER NOT NULL REFERENCES egress_policies (handle),
      list TEXT NOT NULL,
      target TEXT NOT NULL,
      PRIMARY KEY (handle, list, target)
    ) STRICT, WITHOUT ROWID`,

    // The approval queue: wires and knocks that are held until a human approves them. kind: 'wire' | 'knock'.
    // ref: id of the held wire or knock, which keeps this id when it is sent. status: 'pending' | 'approved'
    // | 'rejected' | 'withdrawn'. After 14 days, a pending row counts as expired. error: the error envelope
    // of an approved item that could not be sent; otherwise null. doc: the Wire or Knock as JSON. sender_no:
    // a held wire's number among the sender's wires, assigned when it was held. After a wire is sent, doc and
    // sender_no are null, because the table wires then contains both; so rate limits count each wire only
    // once.
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
