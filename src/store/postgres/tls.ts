/** Encryption between daemon and server: what the URL asks for, and what went wrong with it. */
import { accessSync, constants } from "node:fs";
import { StoreRefused } from "../engine.js";

/** Those of libpq, and what they do here. It knows `allow` too, which would have the connection tried without encryption first. */
const MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"];
const FILES = ["sslrootcert", "sslcert", "sslkey"];

/** Throws `StoreRefused` where the URL asks for what cannot be done. */
export function checkTls(parameters: URLSearchParams): void {
  const mode = parameters.get("sslmode");
  if (mode !== null && !MODES.includes(mode)) {
    throw new StoreRefused(
      `sslmode in the database URL must be one of ${MODES.join(", ")}, not ${JSON.stringify(mode)}`,
    );
  }
  for (const name of FILES) {
    const file = parameters.get(name);
    if (file !== null && !isReadable(file))
      throw new StoreRefused(`${name} in the database URL names ${file}, which cannot be read`);
  }
  if (mode === "verify-ca" && !parameters.has("sslrootcert")) {
    throw new StoreRefused(
      "sslmode=verify-ca in the database URL needs sslrootcert, the file of the certificate authority; or take verify-full",
    );
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** OpenSSL's words for a certificate that nobody who is trusted has signed, or that is out of date. */
const UNTRUSTED = /^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|CERT_)/;

/** What is said of a connection that failed. */
export function reasonOf(error: Error): string {
  const advice = tlsAdvice(error);
  return advice === undefined ? error.message : `${error.message}; ${advice}`;
}

/** What would be right, where encryption is what the connection failed on; another try would fail likewise. */
export function tlsAdvice(error: Error & { code?: string }): string | undefined {
  const { code = "", message } = error;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "sslmode=verify-full takes a server only under a name in its certificate: name it so in the database URL";
  if (UNTRUSTED.test(code))
    return "the server's certificate is not trusted: name the file of its certificate authority in the database URL, as sslrootcert";
  if (message === "The server does not support SSL connections")
    return "turn encryption on at the server (ssl = on), or, where nobody listens in between, leave sslmode out of the database URL";
  if (code === "28000" && message.includes("no encryption"))
    return "the server may take encrypted connections alone: add sslmode=verify-full (with sslrootcert) or sslmode=require to the database URL";
  return undefined;
}
