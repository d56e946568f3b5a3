/** Validates the TLS parameters of a PostgreSQL URL. */
import { accessSync, constants } from "node:fs";
import { StoreRefused } from "../engine.js";

/** All modes of libpq except `allow`, which would first try a connection without encryption. */
const MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"];
const FILES = ["sslrootcert", "sslcert", "sslkey"];

/** Throws `StoreRefused` if a TLS parameter is invalid or names a file that cannot be read. */
export function assertTlsParameters(parameters: URLSearchParams): void {
  const mode = parameters.get("sslmode");
  if (mode !== null && !MODES.includes(mode)) {
    throw new StoreRefused(
      `sslmode in the database URL must be one of ${MODES.join(", ")}, not ${JSON.stringify(mode)}`,
    );
  }
  for (const name of FILES) {
    const file = parameters.get(name);
    if (file !== null && !isReadable(file))
      throw new StoreRefused(
        `cannot read ${file}; ${name} in the database URL must name a file that the daemon can read`,
      );
  }
  if (mode === "verify-ca" && !parameters.has("sslrootcert")) {
    throw new StoreRefused(
      "sslmode=verify-ca in the database URL needs sslrootcert, the file of the certificate authority; or use verify-full",
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
