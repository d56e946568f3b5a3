/** Detects a connection pooler, such as PgBouncer, in transaction mode. The daemon needs session mode. */
import pg from "pg";
import { StoreRefused } from "../engine.js";

/**
 * Throws `StoreRefused` if a pooler shares server sessions between connections, because LISTEN and prepared
 * statements would fail.
 */
export async function assertSessionPooling(client: pg.Client, config: pg.ClientConfig): Promise<void> {
  const pid = await backendPid(client);
  // On connect, PostgreSQL sends the session's real process id. A pooler sends an invented id instead.
  if ((client as unknown as { processID: number }).processID === pid) return;
  const other = new pg.Client(config);
  other.on("error", () => undefined);
  try {
    await other.connect();
    // A pooler in transaction mode reserves a session for an open transaction. So if there is a pooler,
    // either both connections now have the same session id, or the first connection's id has changed.
    await other.query("BEGIN");
    const isShared = (await backendPid(other)) === pid || (await backendPid(client)) !== pid;
    if (isShared) {
      throw new StoreRefused(
        "the connection pooler in front of the database uses transaction mode, and Wireroom needs sessions; set pool_mode = session (PgBouncer), or connect directly to the server",
      );
    }
  } finally {
    await other.end().catch(() => undefined);
  }
}

async function backendPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]!.pid;
}
