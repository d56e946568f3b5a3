// Generated from the contract by `npm run generate`; edits are lost.
/** The version of the API that this client was generated from. */
export const VERSION = "0.3.0";
