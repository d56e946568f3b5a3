/** The lock of a data folder. Commands that only look for a daemon need no other part of the store. */
export { isFolderLocked, type Lock, lockFolder } from "../../store/engine/sqlite/lock.js";
