/** What to do about a connection that is refused. */

/** OpenSSL's words for a certificate that nobody who is trusted has signed, or that is out of date. */
const UNTRUSTED = /^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|CERT_)/;

/** What is said of a connection that failed. */
export function reasonOf(error: Error): string {
  const advice = adviceOn(error);
  return advice === undefined ? error.message : `${error.message}; ${advice}`;
}

/** What would be right, where that can be told from the error; another try would fail likewise. */
export function adviceOn(error: Error & { code?: string }): string | undefined {
  const { code = "", message } = error;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "sslmode=verify-full takes a server only under a name in its certificate: name it so in the database URL";
  if (UNTRUSTED.test(code))
    return "the server's certificate is not trusted: name the file of its certificate authority in the database URL, as sslrootcert";
  if (message === "The server does not support SSL connections")
    return "turn encryption on at the server (ssl = on), or, where nobody listens in between, leave sslmode out of the database URL";
  if (code === "28000" && message.includes("no encryption"))
    return "the server may take encrypted connections alone: add sslmode=verify-full (with sslrootcert) or sslmode=require to the database URL";
  if (message.startsWith("unsupported startup parameter")) {
    return (
      "it comes from PgBouncer, which needs pool_mode = session and ignore_startup_parameters = " +
      "options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout"
    );
  }
  return undefined;
}
