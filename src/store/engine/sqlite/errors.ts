/** Classifies SQLite errors by their extended result codes (https://www.sqlite.org/rescode.html). */
import { StatementTimeout, StoreDamaged, StoreFailed, StoreRefused, StoreUnavailable } from "../engine.js";

/** Enables extended result codes. The driver does not export this flag of `sqlite3_open_v2`. */
export const OPEN_EXTENDED_CODES = 0x02000000;

/** Keyed by the primary result code, which is the low 8 bits of an extended code. */
const NAMES: Readonly<Record<number, string>> = {
  1: "SQLITE_ERROR",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  7: "SQLITE_NOMEM",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  19: "SQLITE_CONSTRAINT",
  26: "SQLITE_NOTADB",
};

const UNAVAILABLE = new Set([
  "SQLITE_BUSY",
  "SQLITE_LOCKED",
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_READONLY",
  "SQLITE_CANTOPEN",
  "SQLITE_NOMEM",
]);
const DAMAGED = new Set(["SQLITE_CORRUPT", "SQLITE_NOTADB"]);

/**
 * Failed flushes (FSYNC and DIR_FSYNC), after which the file's content is unknown: Linux may drop the
 * unwritten pages, and yet a second fsync succeeds
 * (https://www.usenix.org/conference/atc20/presentation/rebello). After a failed WAL write, SQLite rolls
 * back, so that code is not listed.
 */
const FAILURES = new Set([1034, 1290]);

/** The codes READ, SHORT_READ and CORRUPTFS. A statement reports CORRUPTFS as SQLITE_CORRUPT. */
const READ_FAILURES = new Set([266, 522, 8458]);

/** The statement was stopped by `Connection.limitStatements`. */
const SQLITE_INTERRUPT = 9;

type DriverError = Error & { errno?: number };

/** Errors that a statement causes, such as a violated constraint, keep their type. */
export function toStoreError(error: DriverError): Error {
  const { errno: code = 0 } = error;
  if (code === SQLITE_INTERRUPT) return new StatementTimeout("a statement took too long", { cause: error });
  const name = NAMES[code & 0xff];
  if (name === undefined) return error;
  const message = error.message.replace(/^[A-Z_]+:/, code > 0xff ? `${name} (${code}):` : `${name}:`);
  if (FAILURES.has(code)) return new StoreFailed(message);
  if (UNAVAILABLE.has(name)) return new StoreUnavailable(message, { cause: error });
  if (DAMAGED.has(name)) return new StoreDamaged(message, { cause: error });
  error.message = message;
  return error;
}

export function refusalOfDamage(file: string, error: StoreDamaged): StoreRefused {
  return new StoreRefused(
    `the database ${file} is damaged (${error.message}); keep a copy of it and of the files beside it, then restore a ` +
      "backup with `wireroom restore FILE --replace`",
    { cause: error },
  );
}

export function isBusy(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.message.startsWith("SQLITE_BUSY");
}

/** Returns whether the disk is full, or an I/O error occurred except a failed read. */
export function isWriteError(error: unknown): error is Error {
  if (!(error instanceof StoreUnavailable)) return false;
  if (error.message.startsWith("SQLITE_FULL")) return true;
  const { errno = 0 } = (error.cause ?? {}) as Partial<DriverError>;
  return isIoError(error) && !READ_FAILURES.has(errno);
}

export function isIoError(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("SQLITE_IOERR");
}
