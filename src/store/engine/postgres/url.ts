/** Parses `--database-url postgres://…` into settings for the driver and the pools. */

import { accessSync, constants } from "node:fs";
import type { ClientBase, ClientConfig } from "pg";
import { SECOND } from "../../../kernel/clock.js";
import { StoreRefused } from "../engine.js";

/** `pool_max_conns` in the URL overrides this number. The listener uses one more connection. */
const DEFAULT_CONNECTIONS = 16;

/**
 * JIT is off, because most statements read a few rows through an index, which takes less time than JIT
 * compilation. `random_page_cost` is low, because random reads cost about as much as sequential reads on an
 * SSD.
 */
const DEFAULT_OPTIONS = "-c jit=off -c random_page_cost=1.1";

export const APPLICATION_NAME = "wireroom";

/** The server cancels a statement after this time, and the request fails with UNAVAILABLE. */
const STATEMENT_TIMEOUT_MS = 10 * SECOND;
/** The client gives up after this time, for example because the network is down. */
const RESPONSE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5 * SECOND;

export interface PostgresSettings {
  config: ClientConfig;
  connections: number;
}

export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl);
}

/** Throws `StoreRefused` with a message that never contains the password. */
export function parsePostgresUrl(databaseUrl: string): PostgresSettings {
  if (!URL.canParse(databaseUrl))
    throw new StoreRefused("the database URL is not a valid URL; use the form postgres://user@host/database");
  const url = new URL(databaseUrl);
  const connections = connectionsOf(url.searchParams.get("pool_max_conns"));
  url.searchParams.delete("pool_max_conns");
  assertTlsParameters(url.searchParams);
  // As in libpq, let `require` only encrypt, and `verify-full` also check the host name.
  if (!url.searchParams.has("uselibpqcompat")) url.searchParams.set("uselibpqcompat", "true");
  const options = url.searchParams.get("options") ?? DEFAULT_OPTIONS;
  return {
    connections,
    config: {
      connectionString: url.href,
      options,
      application_name: url.searchParams.get("application_name") ?? APPLICATION_NAME,
      keepAlive: true,
      connectionTimeoutMillis: STATEMENT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: STATEMENT_TIMEOUT_MS - SECOND,
      // Shorter than `lock_timeout`, so that a paused daemon's locks are released before others give up.
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS / 2,
      query_timeout: RESPONSE_TIMEOUT_MS,
    },
  };
}

function connectionsOf(text: string | null): number {
  if (text === null) return DEFAULT_CONNECTIONS;
  const connections = Number(text);
  if (/^\d{1,4}$/.test(text) && connections >= 2) return connections;
  throw new StoreRefused(
    `pool_max_conns in the database URL must be an integer of at least 2, not ${JSON.stringify(text)}`,
  );
}

/** A pooler may drop this setting from the connection string, so set it by a statement. */
export function limitStatements(maxMs: number): (client: ClientBase) => Promise<void> {
  return async (client) => {
    await client.query(`SET statement_timeout = ${maxMs}`);
  };
}

/** The driver does not send zeros, so the database role's limits still apply until {@link liftTimeLimits}. */
export function withoutTimeLimits(config: ClientConfig): ClientConfig {
  return {
    ...config,
    statement_timeout: 0,
    lock_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  };
}

/** Some exist only in newer versions of PostgreSQL. */
const LIMITS = [
  "statement_timeout",
  "lock_timeout",
  "transaction_timeout",
  "idle_in_transaction_session_timeout",
  "idle_session_timeout",
];
const LIFT = `SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN (${LIMITS.map((name) => `'${name}'`).join(", ")})`;

/** Removes time limits that come from the role, the database or the server. */
export async function liftTimeLimits(client: ClientBase): Promise<void> {
  await client.query(LIFT);
}

/** All modes of libpq except `allow`, which first tries a connection without encryption. */
const MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"];
const FILES = ["sslrootcert", "sslcert", "sslkey"];

function assertTlsParameters(parameters: URLSearchParams): void {
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
