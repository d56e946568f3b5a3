// Generated from the contract by `npm run generate`; edits are lost.
export * from "./errors.js";
export type * from "./shapes.js";
export type * from "./wires.js";
export type * from "./threads.js";
export type * from "./inbox.js";
export type * from "./knocks.js";
export type * from "./contacts.js";
export type * from "./blocks.js";
export type * from "./spaces.js";
export type * from "./schemas.js";
export type * from "./switchboard.js";
export type * from "./profile.js";
export type * from "./limits.js";
export type * from "./account.js";
export type * from "./handles.js";
export type * from "./keys.js";
export type * from "./audit.js";
export { VERSION } from "./version.js";
