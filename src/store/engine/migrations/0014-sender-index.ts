/**
 * One index for the limits, the sent wires and the exports of a sender, in place of two: each post changes a page of each index by sender,
 * which hardly another post of its batch changes.
 */
export const senderIndex = {
  id: 14,
  name: "sender-index",
  sql: [
    // Contains the targets, so that a filter of GET /sent reads only the wires that it finds.
    "CREATE INDEX wires_of_sender ON wires (sender, created_at, sender_no, recipient, space)",
    "DROP INDEX wires_by_sender",
    "DROP INDEX wires_sent",

    // The primary key of the wire that was sent after its approval. Its time and number are those at which it was held, so its place among
    // the sent wires is not its place in the index.
    "ALTER TABLE approvals ADD COLUMN wire INTEGER",
    "UPDATE approvals SET wire = (SELECT w.pk FROM wires w WHERE w.id = approvals.ref) WHERE kind = 'wire' AND doc IS NULL",
    "CREATE INDEX approvals_sent ON approvals (handle, wire) WHERE wire IS NOT NULL",
  ],
};
