/**
 * The audit log, and the columns for operators, suspension and retirement
 * (docs/specification/dashboard-operations.md#audit-log).
 */
export const audit = {
  id: 3,
  name: "audit",
  sql: [
    // account: the entry's owner. handle: the handle of this account that the entry is about, or null. actor,
    // action, subject: see src/contract/operations/audit.ts. outcome: 'ok' or an error code. request_id: null
    // if no request made the change.
    `CREATE TABLE audit (
      pk INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      account INTEGER NOT NULL REFERENCES accounts (pk),
      handle INTEGER REFERENCES handles (pk),
      at INTEGER NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT NOT NULL,
      outcome TEXT NOT NULL,
      request_id TEXT
    ) STRICT`,
    "CREATE INDEX audit_in_order ON audit (account, at, pk)",
    "CREATE INDEX audit_by_handle ON audit (handle, at, pk)",
    {
      sqlite: `CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END`,
      postgres: `CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$`,
    },
    {
      sqlite: `CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END`,
      postgres: `CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE ON audit
        FOR EACH ROW EXECUTE FUNCTION audit_is_append_only()`,
    },

    // Time when the handle became an operator, was suspended or was retired; null otherwise.
    "ALTER TABLE handles ADD COLUMN operator_at INTEGER",
    "ALTER TABLE handles ADD COLUMN suspended_at INTEGER",
    "ALTER TABLE handles ADD COLUMN retired_at INTEGER",
    // Indexes for account exports and for retiring a handle.
    "CREATE INDEX votes_by_handle ON votes (handle, wire)",
    "CREATE INDEX blocks_by_other ON blocks (other)",
    "CREATE INDEX handles_operators ON handles (pk) WHERE operator_at IS NOT NULL",
  ],
};
