/** Indexes for lists by status and for live connections, so that a read does not skip over other rows. */
export const statusIndexes = {
  id: 26,
  name: "status-indexes",
  sql: [
    "CREATE INDEX knocks_received_by_status ON knocks (target, status, pk)",
    "CREATE INDEX knocks_sent_by_status ON knocks (sender, status, pk)",
    "CREATE INDEX approvals_by_status ON approvals (account, status, pk)",
    "CREATE INDEX approvals_of_handle_by_status ON approvals (account, handle, status, pk)",
    "CREATE INDEX api_keys_in_order ON api_keys (handle, pk)",
    "CREATE INDEX connections_live ON connections (handle, pk) WHERE ended_at IS NULL AND issued_at IS NOT NULL",
  ],
};
