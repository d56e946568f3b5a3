/**
 * Starts a PostgreSQL server with production settings, including fsync. It uses the binaries of the npm
 * package, or the server of `WIREROOM_BENCH_POSTGRES_URL`, whose role must be able to create databases.
 */
import pg from "pg";
import { openStore } from "../../src/store/index.js";
import { startEmbedded } from "../../test/harness/postgres-server.js";
import { fill } from "../data/seed.js";
import type { PostgresDatabase } from "./daemon.js";

/** Settings that make checkpoints rare, so that none occurs during a measurement. */
const SETTINGS = ["shared_buffers=512MB", "max_wal_size=4GB", "checkpoint_timeout=1h"];

export interface PostgresServer {
  /** Creates a database with this number of wires. @param say called with progress messages */
  create(wires: number, say: (line: string) => void): Promise<PostgresDatabase>;
  /** Stops the server. Of an existing server, only the created databases are deleted. */
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const own = process.env.WIREROOM_BENCH_POSTGRES_URL;
  const embedded = own === undefined ? await startEmbedded(SETTINGS) : undefined;
  const server = own ?? embedded!.url;
  const pid = embedded?.pid();
  const made: string[] = [];
  const filled = new Map<number, string>();
  const make = async (template = "template1") => {
    const name = `wireroom_bench_${process.pid}_${made.length}`;
    await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
    made.push(name);
    return name;
  };
  return {
    async create(wires, say) {
      let template = filled.get(wires);
      if (template === undefined) {
        template = await make();
        await fillDatabase(urlOf(server, template), wires, say);
        filled.set(wires, template);
      }
      return { url: urlOf(server, await make(template)), pid };
    },
    async stop() {
      if (embedded) return embedded.stopAndRemove();
      for (const name of made) await administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function fillDatabase(url: string, wires: number, say: (line: string) => void): Promise<void> {
  say(`filling a PostgreSQL database with ${wires} wires …`);
  const store = await openStore(url);
  try {
    await fill(store, { wires }, say);
  } finally {
    await store.engine.close();
  }
  await administer(url, "VACUUM ANALYZE");
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
