/** A look at a database server, as a daemon would take it at its start. */
import pg from "pg";
import { StoreRefused } from "../engine.js";
import { reasonOf } from "./advice.js";
import { assertUsable, pending } from "./migrate.js";
import { assertOwnSession } from "./pooler.js";
import { readTarget } from "./url.js";

export interface ServerFacts {
  /** Of PostgreSQL, such as `18.4`. */
  version: string;
  /** Migrations that the next start runs. */
  pending: number;
}

/** Changes nothing. Throws `StoreRefused` where a daemon of this version would not start on it. */
export async function examineServer(databaseUrl: string): Promise<ServerFacts> {
  const { config } = readTarget(databaseUrl);
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  try {
    await client.connect();
    const version = await assertUsable(client);
    await assertOwnSession(client, config);
    return { version, pending: (await pending(client)).length };
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    throw new StoreRefused(`cannot open the database: ${reasonOf(error as Error)}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}
