/** Delivery receipts, and an index of each handle's sent wires (docs/specification/sending.md#delivery). */

/** Stores, with the current time, the last wire that each handle had read before this migration. */
const insertReceipts = (now: string) =>
  `INSERT INTO receipts (handle, wire, at) SELECT c.handle, max(i.ref), ${now}
   FROM checkpoints c JOIN inbox i ON i.handle = c.handle AND i.seq <= c.seq AND i.kind = 1 GROUP BY c.handle`;

export const delivery = {
  id: 9,
  name: "delivery",
  sql: [
    "ALTER TABLE handles ADD COLUMN delivery_receipts INTEGER NOT NULL DEFAULT 1",

    // Each row says when a handle acknowledged all its wires up to `wire`. An inbox is ordered by the wires'
    // primary keys, so a wire's acknowledgement time is in the first row whose `wire` is not smaller. While a
    // handle has delivery receipts disabled, its acknowledgements add no rows. When it enables them again,
    // one row with a null time covers these wires. The table has no foreign keys, because they would lock the
    // handle's row on PostgreSQL.
    `CREATE TABLE receipts (
      handle INTEGER NOT NULL,
      wire INTEGER NOT NULL,
      at INTEGER,
      PRIMARY KEY (handle, wire)
    ) STRICT, WITHOUT ROWID`,
    {
      sqlite: insertReceipts("CAST(1000 * unixepoch('subsec') AS INTEGER)"),
      postgres: insertReceipts("CAST(1000 * extract(epoch FROM now()) AS bigint)"),
    },

    // A SQLite view that moves a checkpoint and stores its receipt in one statement, which needs no BEGIN and
    // COMMIT. PostgreSQL does both in one statement without a view.
    {
      sqlite: "CREATE VIEW moved_checkpoints AS SELECT handle, seq, NULL AS at FROM checkpoints",
    },
    {
      sqlite: `CREATE TRIGGER moved_checkpoints_stored INSTEAD OF INSERT ON moved_checkpoints
        WHEN NEW.seq > coalesce((SELECT seq FROM checkpoints WHERE handle = NEW.handle), 0) BEGIN
          INSERT INTO receipts (handle, wire, at)
            SELECT i.handle, i.ref, NEW.at FROM inbox i JOIN handles h ON h.pk = i.handle AND h.delivery_receipts = 1
            WHERE i.handle = NEW.handle AND i.kind = 1 AND i.seq <= NEW.seq
              AND i.seq > coalesce((SELECT seq FROM checkpoints WHERE handle = NEW.handle), 0)
            ORDER BY i.seq DESC LIMIT 1;
          INSERT INTO checkpoints (handle, seq) VALUES (NEW.handle, NEW.seq)
            ON CONFLICT (handle) DO UPDATE SET seq = excluded.seq;
        END`,
    },

    // Includes the targets, so that a filter reads only matching wires.
    "CREATE INDEX wires_sent ON wires (sender, pk, recipient, space)",
  ],
};
