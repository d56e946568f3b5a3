/**
 * A SQLite view that stores accepted posts in one statement, which can then run in autocommit mode. Triggers
 * insert each row into the table `wires`, the recipient's inbox and the full-text index. The columns
 * `inbox_seq` and `terms` are write-only.
 */
const COLUMNS =
  "pk, id, sender, sender_no, recipient, space, thread, reply_to, parent_votable, reply_rule, created_at, doc";
const NEW_COLUMNS = COLUMNS.replace(/\w+/g, "NEW.$&");

const STATEMENTS = [
  `CREATE VIEW new_wires AS SELECT ${COLUMNS}, NULL AS inbox_seq, NULL AS terms FROM wires`,
  `CREATE TRIGGER new_wires_stored INSTEAD OF INSERT ON new_wires BEGIN
    INSERT INTO wires (${COLUMNS}) VALUES (${NEW_COLUMNS});
  END`,
  `CREATE TRIGGER new_wires_delivered INSTEAD OF INSERT ON new_wires WHEN NEW.recipient IS NOT NULL BEGIN
    INSERT INTO inbox (handle, seq, kind, ref) VALUES (NEW.recipient, NEW.inbox_seq, 1, NEW.pk);
  END`,
  `CREATE TRIGGER new_wires_indexed INSTEAD OF INSERT ON new_wires WHEN NEW.terms IS NOT NULL BEGIN
    INSERT INTO wires_fts (rowid, terms) VALUES (NEW.pk, NEW.terms);
  END`,
];

export const newWires = {
  id: 6,
  name: "new-wires",
  // PostgreSQL does not need the view, because it can send several statements in one round trip.
  sql: STATEMENTS.map((sqlite) => ({ sqlite })),
};
