/** What an error of the driver means. */
import { StoreUnavailable } from "../engine.js";

/** Two transactions got in each other's way, and one would succeed if it were run again. */
const CONFLICTS = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "23505", // unique_violation: what was not there when it looked was stored by another meanwhile
]);

/** SQLSTATEs and classes of them that say that the database, not the statement, is at fault. */
const UNAVAILABLE = [
  "08", // connection exceptions
  "53", // insufficient resources: disk full, out of memory, too many connections
  "57", // shut down, starting up, statement timeout
  "58", // system errors
  "XX", // internal errors
  "25006", // read-only: a replica, or one that has been promoted away
  "25P03", // idle in a transaction for too long: this process stood still
  "28", // the credentials are no longer taken
  "3D000", // the database is gone
  "55P03", // a lock was not to be had in time
];

/** The SQLSTATE, where the error comes from the server. */
function codeOf(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as { code?: string; severity?: string };
  return severity === undefined ? undefined : code;
}

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error) ?? "");
}

/** An error of the driver as the rest of the store knows it. What the server did not send is a matter of the connection. */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TypeError) return error;
  const code = codeOf(error);
  if (code !== undefined && !UNAVAILABLE.some((prefix) => code.startsWith(prefix))) return error;
  return error instanceof StoreUnavailable ? error : new StoreUnavailable(error.message, { cause: error });
}

/** Whether the connection is of no use after this error. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || code.startsWith("08") || code.startsWith("57P") || code.startsWith("25P");
}
