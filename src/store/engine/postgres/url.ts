/** Parses `--database-url postgres://…` into the settings of the driver and the pools. */
import type { ClientBase, ClientConfig } from "pg";
import { SECOND } from "../../../kernel/clock.js";
import { StoreRefused } from "../engine.js";
import { assertTlsParameters } from "./tls.js";

/**
 * Default number of pooled connections of a daemon; `pool_max_conns` in the URL overrides it. The listener
 * uses one more connection.
 */
const DEFAULT_CONNECTIONS = 16;

/**
 * Server settings for statements that read a few rows by an index. JIT compilation would take longer than the
 * statement, and random reads cost about as much as sequential ones on an SSD or in memory.
 */
const DEFAULT_OPTIONS = "-c jit=off -c random_page_cost=1.1";

/** Default `application_name` of a daemon's connections. */
export const APPLICATION_NAME = "wireroom";

/** The server cancels statements that take longer, and the request fails with UNAVAILABLE. */
const STATEMENT_TIMEOUT_MS = 10 * SECOND;
/**
 * The client gives up after this time if the server sends nothing, for example because the network is down.
 */
const RESPONSE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5 * SECOND;

export interface PostgresSettings {
  config: ClientConfig;
  connections: number;
}

export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl);
}

/** Throws `StoreRefused` if the URL is invalid. The message never contains the password. */
export function parsePostgresUrl(databaseUrl: string): PostgresSettings {
  if (!URL.canParse(databaseUrl))
    throw new StoreRefused("the database URL is not a valid URL; use the form postgres://user@host/database");
  const url = new URL(databaseUrl);
  const connections = connectionsOf(url.searchParams.get("pool_max_conns"));
  url.searchParams.delete("pool_max_conns");
  assertTlsParameters(url.searchParams);
  // Makes `sslmode` work as in libpq: `require` only encrypts, `verify-full` also checks the host name.
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
      // This timeout is shorter than lock_timeout, so that PostgreSQL releases the locks of a paused daemon
      // before other daemons stop waiting.
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

/**
 * Returns a function that limits the time of each statement of a connection. A pooler may drop the setting of
 * the connection string.
 */
export function limitStatements(maxMs: number): (client: ClientBase) => Promise<void> {
  return async (client) => {
    await client.query(`SET statement_timeout = ${maxMs}`);
  };
}

/**
 * Leaves out the limits of the daemon. The driver sends no zeros, so those of the role still apply: see
 * {@link liftTimeLimits}.
 */
export function withoutTimeLimits(config: ClientConfig): ClientConfig {
  return {
    ...config,
    statement_timeout: 0,
    lock_timeout: 0,
    query_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  };
}

/** Some of these settings exist only in newer versions of PostgreSQL. */
const LIMITS = [
  "statement_timeout",
  "lock_timeout",
  "transaction_timeout",
  "idle_in_transaction_session_timeout",
  "idle_session_timeout",
];
const LIFT = `SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN (${LIMITS.map((name) => `'${name}'`).join(", ")})`;

/** Lifts the limits that the role, the database or the server sets for the session. */
export async function liftTimeLimits(client: ClientBase): Promise<void> {
  await client.query(LIFT);
}
