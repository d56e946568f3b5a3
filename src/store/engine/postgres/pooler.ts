/** A pooler between daemon and server, such as PgBouncer: it has to leave each connection its own session. */
import pg from "pg";
import { StoreRefused } from "../engine.js";

/**
 * Throws `StoreRefused` where the sessions behind connections change with each transaction: who listens would hear nothing,
 * and statements that are prepared would be missing. Where no pooler is in between, this asks nothing but one number.
 */
export async function assertOwnSession(client: pg.Client, config: pg.ClientConfig): Promise<void> {
  const session = await sessionOf(client);
  // A server says its process's number when it greets; a pooler says one that it made up.
  if ((client as unknown as { processID: number }).processID === session) return;
  const other = new pg.Client(config);
  other.on("error", () => undefined);
  await other.connect();
  try {
    // In its transaction it holds a session: that of the first connection, if that one's was not its own.
    await other.query("BEGIN");
    const isShared = (await sessionOf(other)) === session || (await sessionOf(client)) !== session;
    if (isShared) {
      throw new StoreRefused(
        "a pooler is in front of the database that shares connections between transactions, and daemons listen on theirs; set pool_mode = session (PgBouncer), or connect to the server itself",
      );
    }
  } finally {
    await other.end().catch(() => undefined);
  }
}

/** The number of the server's process behind a connection. */
async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]!.pid;
}
