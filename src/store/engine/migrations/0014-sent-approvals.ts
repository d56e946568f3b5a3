/** Lists wires that were sent after approval, in sending order (docs/specification/reading.md#sent-wires). */
export const sentApprovals = {
  id: 14,
  name: "sent-approvals",
  sql: [
    // Primary key of the wire that was sent after approval. This wire keeps the time and number from when it
    // was held, so the index by sender does not list it in sending order.
    "ALTER TABLE approvals ADD COLUMN wire INTEGER",
    "UPDATE approvals SET wire = (SELECT w.pk FROM wires w WHERE w.id = approvals.ref) WHERE kind = 'wire' AND doc IS NULL",
    "CREATE INDEX approvals_sent ON approvals (handle, wire) WHERE wire IS NOT NULL",
  ],
};
