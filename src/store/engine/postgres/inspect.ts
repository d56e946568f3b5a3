/** Runs a daemon's startup checks without changing the database. Used by `wireroom doctor`. */
import pg from "pg";
import { StoreRefused } from "../engine.js";
import { describeConnectionError } from "./errors.js";
import { assertSupportedServer, pendingMigrations } from "./migrate.js";
import { assertSessionPooling } from "./pooler.js";
import { parsePostgresUrl } from "./url.js";

export interface ServerInfo {
  /** The PostgreSQL version, such as `18.4`. */
  version: string;
  pendingMigrations: number;
}

/** Throws `StoreRefused` if a daemon of this version could not start on the server. */
export async function inspectServer(databaseUrl: string): Promise<ServerInfo> {
  const { config } = parsePostgresUrl(databaseUrl);
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  try {
    await client.connect();
    const version = await assertSupportedServer(client);
    await assertSessionPooling(client, config);
    return { version, pendingMigrations: (await pendingMigrations(client)).length };
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    throw new StoreRefused(`cannot open the database: ${describeConnectionError(error as Error)}`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}
