/** Indexes of audit entries by action, so that a filter of GET /audit reads only matching entries. */
export const auditActionIndexes = {
  id: 25,
  name: "audit-action-indexes",
  sql: [
    "CREATE INDEX audit_by_action ON audit (account, action, at, pk)",
    "CREATE INDEX audit_by_handle_action ON audit (handle, action, at, pk)",
  ],
};
