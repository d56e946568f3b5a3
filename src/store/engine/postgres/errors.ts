/** Classifies the PostgreSQL driver's errors, and adds hints for the person who runs the daemon. */
import { StatementTimeout, StoreUnavailable } from "../engine.js";

/** SQLSTATE codes after which a transaction is retried. */
const CONFLICTS = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "23505", // unique_violation: another transaction inserted the row first
]);

/** read_only_sql_transaction: the server is a replica or read-only. */
const READ_ONLY = "25006";

/** lock_not_available: another transaction has kept a row locked for `lock_timeout`. */
const LOCK_TIMEOUT = "55P03";

/** query_canceled: the statement exceeded `statement_timeout`. */
const QUERY_CANCELED = "57014";

/** SQLSTATE codes, or their prefixes, of an unavailable database. */
const UNAVAILABLE = [
  "08", // connection exceptions
  "53", // insufficient resources: disk full, out of memory, too many connections
  "57", // shut down, starting up, statement timeout
  "58", // system errors
  "XX", // internal errors
  READ_ONLY,
  "25P03", // idle_in_transaction_session_timeout: this process was paused
  "28", // invalid authorization: the credentials are no longer accepted
  "3D000", // the database does not exist any more
  LOCK_TIMEOUT,
];

/** Returns undefined if the error did not come from the server. */
function sqlStateOf(error: unknown): string | undefined {
  const { code, severity } = (error ?? {}) as { code?: string; severity?: string };
  return severity === undefined ? undefined : code;
}

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(sqlStateOf(error) ?? "");
}

/** Converts errors of an unavailable database to `StoreUnavailable`. Returns other errors unchanged. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TypeError) return error;
  const code = sqlStateOf(error);
  if (code !== undefined && !UNAVAILABLE.some((prefix) => code.startsWith(prefix))) return error;
  if (code === QUERY_CANCELED) return new StatementTimeout(error.message, { cause: error });
  return error instanceof StoreUnavailable ? error : new StoreUnavailable(error.message, { cause: error });
}

export function isReadOnly(error: unknown): boolean {
  return stateOrCause(error) === READ_ONLY;
}

export function isLockTimeout(error: unknown): boolean {
  return stateOrCause(error) === LOCK_TIMEOUT;
}

function stateOrCause(error: unknown): string | undefined {
  return sqlStateOf(error) ?? sqlStateOf((error as Error | undefined)?.cause);
}

/** Returns whether the connection must be replaced. A new one may reach a server that has taken over. */
export function isConnectionLost(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code === undefined || ["08", "57P", "25P", READ_ONLY].some((prefix) => code.startsWith(prefix));
}

/** OpenSSL codes for an expired certificate or an untrusted authority. */
const UNTRUSTED = /^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|CERT_)/;

export function describeConnectionError(error: Error): string {
  const hint = connectionHint(error);
  return hint === undefined ? error.message : `${error.message}; ${hint}`;
}

/** Returns a hint on how to fix the error. If there is a hint, a retry would also fail. */
export function connectionHint(error: Error & { code?: string }): string | undefined {
  const { code = "", message } = error;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "sslmode=verify-full needs a host name that the server's certificate contains; use that name in the database URL";
  if (UNTRUSTED.test(code))
    return "the server's certificate is not trusted; set sslrootcert in the database URL to the file of its certificate authority";
  if (message === "The server does not support SSL connections")
    return "enable encryption on the server (ssl = on), or remove sslmode from the database URL if the network is trusted";
  if (message.endsWith("client password must be a string"))
    return "the server asks for a password; set PGPASSWORD, or add a line to ~/.pgpass";
  if (message.startsWith("no PostgreSQL user name"))
    return "name the role in the database URL: postgres://wireroom@host/database";
  if (code === "28000" && message.includes("no encryption"))
    return "the server may accept only encrypted connections; add sslmode=verify-full (with sslrootcert) or sslmode=require to the database URL";
  if (message.startsWith("unsupported startup parameter")) {
    return (
      "PgBouncer sent this error; it needs pool_mode = session and ignore_startup_parameters = " +
      "options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout"
    );
  }
  return undefined;
}
