// Generated from the contract by `npm run generate`; edits are lost.
/** The names of all limits of a daemon. */
export const LIMIT_SETTINGS: readonly string[] = ["wires_per_minute","wires_per_day","knocks_per_hour","spaces_per_hour","spaces_per_account","schemas_per_hour","mentions_per_hour","claims_per_handle","account_factor","handles_per_account","handles_per_hour","keys_per_handle","audited_per_minute","reply_hops"];
