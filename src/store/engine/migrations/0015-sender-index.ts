/**
 * Replaces two indexes by sender with one, for limits, sent wires and exports. Each post changes a page in
 * every index by sender, and other posts of the batch rarely share this page, so fewer indexes make posting
 * faster.
 */
export const senderIndex = {
  id: 15,
  name: "sender-index",
  // Migrations 14 to 16 each lock only one table, so that they cannot deadlock with a running daemon.
  sql: [
    // Includes the targets, so that a filter of GET /sent reads only matching wires. IF NOT EXISTS is needed
    // because an earlier form of migration 14, before its split into 14 to 16, created this index.
    "CREATE INDEX IF NOT EXISTS wires_of_sender ON wires (sender, created_at, sender_no, recipient, space)",
  ],
};
