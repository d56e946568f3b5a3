/** What is done to a database from outside of the daemon that serves it. */
export { type Copied, type CopyProgress, copyStore } from "../store/copy/index.js";
export { sqliteFile } from "../store/database-url.js";
export { StoreRefused } from "../store/engine.js";
export { examineServer } from "../store/postgres/examine.js";
export { copyDatabase, type OnProgress, sync } from "../store/sqlite/copy.js";
export { type DatabaseFacts, inspect, integrityProblems, sizeOf } from "../store/sqlite/inspect.js";
export { isFolderLocked, type Lock, lockFolder } from "../store/sqlite/lock.js";
export { restoreDatabase } from "../store/sqlite/restore.js";
