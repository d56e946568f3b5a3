/** What gives humans and operators the last word (decisions, section 9): the audit log, and states of a handle. */
export const audit = {
  id: 3,
  name: "audit",
  sql: [
    // account: whose log it is; handle: which of its handles it concerns, if one. actor, action, subject: see audit.ts in
    // the contract. outcome: 'ok' or an error code. request_id: null for what no request did.
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

    // When the handle became an operator, was suspended, was retired for good; null where it is not.
    "ALTER TABLE handles ADD COLUMN operator_at INTEGER",
    "ALTER TABLE handles ADD COLUMN suspended_at INTEGER",
    "ALTER TABLE handles ADD COLUMN retired_at INTEGER",
    // What an export and a retirement look for.
    "CREATE INDEX votes_by_handle ON votes (handle, wire)",
    "CREATE INDEX blocks_by_other ON blocks (other)",
    "CREATE INDEX handles_operators ON handles (pk) WHERE operator_at IS NOT NULL",
  ],
};
