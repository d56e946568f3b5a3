/** Accounts that an operator has suspended (docs/specification/dashboard-operations.md#operators). */
export const accountSuspension = {
  id: 22,
  name: "account-suspension",
  // While suspended_at is set, the account cannot create handles. Existing handles are suspended by their own
  // column.
  sql: ["ALTER TABLE accounts ADD COLUMN suspended_at INTEGER"],
};
