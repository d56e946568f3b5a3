/**
 * One index for the limits, the sent wires and the exports of a sender, in place of two: each post changes a page of each index by sender,
 * which hardly another post of its batch changes.
 */
export const senderIndex = {
  id: 15,
  name: "sender-index",
  // Each of the migrations 14 to 16 locks one table once, so that none of them is in a deadlock with a daemon that is running.
  sql: [
    // Contains the targets, so that a filter of GET /sent reads only the wires that it finds. Migration 14 created it before it was divided.
    "CREATE INDEX IF NOT EXISTS wires_of_sender ON wires (sender, created_at, sender_no, recipient, space)",
  ],
};
