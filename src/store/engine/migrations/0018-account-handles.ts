/**
 * Limits of accounts: finds the newest handles of an account, and those that are live or were retired lately.
 */
export const accountHandles = {
  id: 18,
  name: "account-handles",
  sql: [
    "CREATE INDEX handles_by_creation ON handles (account, created_at)",
    // A handle that is not retired has a time that never comes, so that one range finds both.
    "CREATE INDEX handles_by_retirement ON handles (account, COALESCE(retired_at, 9007199254740991))",
  ],
};
