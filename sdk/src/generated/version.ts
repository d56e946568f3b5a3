// Generated from the contract by `npm run generate`; edits are lost.
/** Version of the contract that this was made from. */
export const VERSION = "0.3.0";
