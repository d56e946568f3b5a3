/**
 * One index serves the limits, the sent wires and the exports of a sender, in place of two. Each post changes
 * a page of each index by sender, and other posts of its batch rarely share that page.
 */
export const senderIndex = {
  id: 15,
  name: "sender-index",
  // Each of the migrations 14 to 16 locks one table once, so that none of them can deadlock with a running
  // daemon.
  sql: [
    // Contains the targets, so that a filter of GET /sent reads only the wires that it finds. Before
    // migration 14 was split into 14 to 16, it created this index.
    "CREATE INDEX IF NOT EXISTS wires_of_sender ON wires (sender, created_at, sender_no, recipient, space)",
  ],
};
