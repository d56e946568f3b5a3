/** What `--database-url postgres://…` says. */
import type { ClientConfig } from "pg";
import { SECOND } from "../../../kernel/clock.js";
import { StoreRefused } from "../engine.js";
import { checkTls } from "./tls.js";

/** Connections of one daemon, besides the one that listens; `pool_max_conns` in the URL sets another number. */
const CONNECTIONS = 16;

/**
 * Every request reads a few rows by an index: compiling such statements takes longer than running them, and a read out of
 * order costs about what one in order does, on a solid-state disk or in memory.
 */
const OPTIONS = "-c jit=off -c random_page_cost=1.1";

/** What a daemon's connections are called, unless the URL names them. */
export const DAEMON = "wireroom";

/** A statement that takes longer is cancelled, and what asked for it told to try again. */
const STATEMENT_TIMEOUT = 10 * SECOND;
/** A server that does not answer at all, such as behind a cut cable, is given up after this. */
const ANSWER_TIMEOUT = STATEMENT_TIMEOUT + 5 * SECOND;

export interface Target {
  config: ClientConfig;
  connections: number;
}

export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl);
}

/** Throws `StoreRefused` where the URL makes no sense. The message never contains the password. */
export function readTarget(databaseUrl: string): Target {
  if (!URL.canParse(databaseUrl))
    throw new StoreRefused("the database URL is no URL; it has the form postgres://user@host/database");
  const url = new URL(databaseUrl);
  const connections = connectionsOf(url.searchParams.get("pool_max_conns"));
  url.searchParams.delete("pool_max_conns");
  checkTls(url.searchParams);
  // sslmode as libpq has it: `require` encrypts, `verify-full` checks the server's name too.
  if (!url.searchParams.has("uselibpqcompat")) url.searchParams.set("uselibpqcompat", "true");
  const options = url.searchParams.get("options") ?? OPTIONS;
  return {
    connections,
    config: {
      connectionString: url.href,
      options,
      application_name: url.searchParams.get("application_name") ?? DAEMON,
      keepAlive: true,
      connectionTimeoutMillis: STATEMENT_TIMEOUT,
      statement_timeout: STATEMENT_TIMEOUT,
      lock_timeout: STATEMENT_TIMEOUT - SECOND,
      // Less than the wait for a lock: a daemon that stands still with locks must not fail those who wait.
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT / 2,
      query_timeout: ANSWER_TIMEOUT,
    },
  };
}

function connectionsOf(text: string | null): number {
  if (text === null) return CONNECTIONS;
  const connections = Number(text);
  if (/^\d{1,4}$/.test(text) && connections >= 2) return connections;
  throw new StoreRefused(
    `pool_max_conns in the database URL must be a number of connections, 2 or more, not ${JSON.stringify(text)}`,
  );
}
