/** Delivery receipts, and the index of a handle's sent wires (docs/specification/sending.md#delivery). */

/** Stores the last wire that each handle read before this migration, with its time. */
const insertReceipts = (now: string) =>
  `INSERT INTO receipts (handle, wire, at) SELECT c.handle, max(i.ref), ${now}
   FROM checkpoints c JOIN inbox i ON i.handle = c.handle AND i.seq <= c.seq AND i.kind = 1 GROUP BY c.handle`;

export const delivery = {
  id: 9,
  name: "delivery",
  sql: [
    "ALTER TABLE handles ADD COLUMN delivery_receipts INTEGER NOT NULL DEFAULT 1",

    // When a handle acknowledged its wires up to a wire. The wires of an inbox are in the order of their
    // primary keys, so the first row from a wire on has the time at which it was acknowledged.
    // Acknowledgements while the handle gives no delivery receipts have no row. When it gives them again, a
    // row whose time is null covers these wires. The table references no other, because a foreign key would
    // lock the row of the handle on PostgreSQL.
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

    // A view for SQLite that moves a checkpoint and stores its receipt in one statement, which then needs no
    // BEGIN and COMMIT. PostgreSQL does both in one statement without a view.
    {
      sqlite: "CREATE VIEW moved_checkpoints AS SELECT handle, seq, NULL AS at FROM checkpoints",
      postgres: "SELECT 1",
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
      postgres: "SELECT 1",
    },

    // Contains the targets, so that a filter reads only the wires that it finds.
    "CREATE INDEX wires_sent ON wires (sender, pk, recipient, space)",
  ],
};
