/**
 * Indexes for account limits: find an account's newest handles, and its handles that are active or recently
 * retired.
 */
export const accountHandles = {
  id: 18,
  name: "account-handles",
  sql: [
    "CREATE INDEX handles_by_creation ON handles (account, created_at)",
    // An active handle gets a retirement time in the far future, so that one range scan finds active and
    // recently retired handles.
    "CREATE INDEX handles_by_retirement ON handles (account, COALESCE(retired_at, 9007199254740991))",
  ],
};
