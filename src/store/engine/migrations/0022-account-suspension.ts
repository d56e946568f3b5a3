/** Accounts that an operator has suspended (docs/specification/dashboard-operations.md#operators). */
export const accountSuspension = {
  id: 22,
  name: "account-suspension",
  // While it is set, the account gets no new handle. Each of its handles is suspended by its own column.
  sql: ["ALTER TABLE accounts ADD COLUMN suspended_at INTEGER"],
};
