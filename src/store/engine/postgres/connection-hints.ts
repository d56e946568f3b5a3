/** Adds hints to PostgreSQL connection errors about what the person who runs the daemon can change. */

/** OpenSSL error codes for a certificate that is expired or not signed by a trusted authority. */
const UNTRUSTED = /^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|CERT_)/;

/** Returns the error message, followed by a hint if one exists. */
export function describeConnectionError(error: Error): string {
  const hint = connectionHint(error);
  return hint === undefined ? error.message : `${error.message}; ${hint}`;
}

/**
 * Returns a hint on how to fix a connection error. An error with a hint is permanent: a retry would fail
 * again.
 */
export function connectionHint(error: Error & { code?: string }): string | undefined {
  const { code = "", message } = error;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "sslmode=verify-full needs a host name that the server's certificate contains; use that name in the database URL";
  if (UNTRUSTED.test(code))
    return "the server's certificate is not trusted; set sslrootcert in the database URL to the file of its certificate authority";
  if (message === "The server does not support SSL connections")
    return "enable encryption on the server (ssl = on), or remove sslmode from the database URL if the network is trusted";
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
