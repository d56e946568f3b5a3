/**
 * A way to store accepted posts in one statement, which SQLite then commits by itself: what is inserted into the view goes into the
 * wires, the recipients' inboxes and the full-text index. `terms` and `inbox_seq` are read by nobody.
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
  // PostgreSQL takes several statements on one journey.
  sql: STATEMENTS.map((sqlite) => ({ sqlite, postgres: "SELECT 1" })),
};
