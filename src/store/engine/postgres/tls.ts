/** Encryption between daemon and server, as the URL asks for it. */
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
