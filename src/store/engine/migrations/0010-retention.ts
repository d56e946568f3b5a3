/** Retention: wires and audit entries are deleted after a time (docs/specification/reading.md#retention). */

/** Audit entries are kept for 400 days (docs/specification/dashboard-operations.md#audit-log). */
const AUDIT_LIFETIME_MS = 400 * 24 * 60 * 60 * 1000;

/**
 * Adds a nullable column, a small table and an index that starts empty, so it is fast on a database of any
 * size.
 */
export const retention = {
  id: 10,
  name: "retention",
  sql: [
    // Days after which the space's wires are hidden and deleted; null if only the daemon's --retain applies.
    "ALTER TABLE spaces ADD COLUMN retain_days INTEGER",
    "CREATE INDEX spaces_with_retention ON spaces (retain_days) WHERE retain_days IS NOT NULL",

    // Ids of deleted root wires whose thread still has other wires. thread: primary key of the root wire.
    `CREATE TABLE thread_roots (
      thread INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE
    ) STRICT`,

    // The audit log stays append-only, except that entries can be deleted after their lifetime.
    { sqlite: "DROP TRIGGER audit_is_not_shortened", postgres: "DROP TRIGGER audit_is_kept ON audit" },
    {
      sqlite: `CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit
        WHEN OLD.at > CAST(1000 * unixepoch('subsec') AS INTEGER) - ${AUDIT_LIFETIME_MS}
        BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END`,
      postgres: `CREATE TRIGGER audit_is_not_shortened BEFORE DELETE ON audit FOR EACH ROW
        WHEN (OLD.at > CAST(1000 * extract(epoch FROM now()) AS bigint) - ${AUDIT_LIFETIME_MS})
        EXECUTE FUNCTION audit_is_append_only()`,
    },
    {
      postgres: `CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
        FOR EACH ROW EXECUTE FUNCTION audit_is_append_only()`,
    },
    // Vacuum more often: deleted rows make room for new rows only after a vacuum. PostgreSQL's default waits
    // until a fifth of the rows have been updated or deleted, which is too late.
    {
      postgres: `ALTER TABLE wires SET (autovacuum_vacuum_scale_factor = 0.02);
        ALTER TABLE inbox SET (autovacuum_vacuum_scale_factor = 0.02);
        ALTER TABLE wires_fts SET (autovacuum_vacuum_scale_factor = 0.02)`,
    },
  ],
};
