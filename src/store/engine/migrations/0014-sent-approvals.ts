/**
 * The wires that were sent after their approval, in the order in which they were sent
 * (docs/specification/reading.md#sent-wires).
 */
export const sentApprovals = {
  id: 14,
  name: "sent-approvals",
  sql: [
    // The primary key of the wire that was sent after its approval. Its time and number are those at which it
    // was held, so its place among the sent wires is not its place in the index by sender.
    "ALTER TABLE approvals ADD COLUMN wire INTEGER",
    "UPDATE approvals SET wire = (SELECT w.pk FROM wires w WHERE w.id = approvals.ref) WHERE kind = 'wire' AND doc IS NULL",
    "CREATE INDEX approvals_sent ON approvals (handle, wire) WHERE wire IS NOT NULL",
  ],
};
