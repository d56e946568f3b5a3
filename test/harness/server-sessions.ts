/** Databases of the test server, and sessions on them, for tests of locks and settings. */
import pg from "pg";
import { dropDatabase } from "./postgres-server.js";

export class ServerSessions {
  private readonly closing: (() => Promise<unknown>)[] = [];

  /** Creates a database, which {@link close} drops. Returns its URL. */
  async database(create: () => Promise<string>): Promise<string> {
    const url = await create();
    this.onClose(() => dropDatabase(url));
    return url;
  }

  async connect(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    await client.connect();
    this.onClose(() => client.end());
    return client;
  }

  /** @param close called by {@link close}, before the functions that were given earlier */
  onClose(close: () => Promise<unknown>): void {
    this.closing.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.closing.splice(0).reverse()) await close();
  }
}

/** Returns the process ids of sessions that wait for a lock of this kind in the database of `client`. */
export async function waitingFor(kind: "relation" | "advisory", client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT l.pid FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE NOT l.granted AND l.locktype = $1 AND d.datname = current_database()`,
    [kind],
  );
  return rows.map(({ pid }) => pid);
}
