/**
 * One PostgreSQL server for a test run: real binaries from the registry, or the server of `WIREROOM_TEST_POSTGRES_URL`,
 * whose role must be allowed to create databases. Each data folder of the tests gets a database of its own.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "./free-port.js";
import { idsOf, NoPostgres, type Programs, postgresPrograms, reasonOf } from "./postgres-programs.js";

/** Where the tests find the server, and the database that theirs are copies of. */
const SERVER = "WIREROOM_TEST_POSTGRES_SERVER";

/** Vitest's global setup of the project `postgres`. */
export async function setup(): Promise<() => Promise<void>> {
  try {
    return await setUpServer();
  } catch (error) {
    // Vitest would call it an unhandled error, and print a stack.
    process.stderr.write(`\n${new NoPostgres(reasonOf(error)).message}\n`);
    process.exit(1);
  }
}

/** Starts the server, and makes the database that those of the tests are copies of. */
async function setUpServer(): Promise<() => Promise<void>> {
  const own = process.env.WIREROOM_TEST_POSTGRES_URL;
  const { url, stop } = own ? { url: own, stop: async () => {} } : await startEmbedded();
  const template = `wireroom_template_${process.pid}`;
  await administer(url, `CREATE DATABASE ${template}`);
  // Loaded here alone: nearly every test loads this file, and the store takes most of a second.
  const { PostgresEngine } = await import("../../src/store/engine/postgres/index.js");
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
  pid(): number;
  /** SIGQUIT, which PostgreSQL calls an immediate shutdown, or SIGKILL. In either case it recovers when it is started. */
  crash(signal: "SIGQUIT" | "SIGKILL"): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good. */
  stop(): Promise<void>;
}

const START_ATTEMPTS = 60;

/** The tests kill daemons, not the machine: nothing is gained by waiting for the disk. */
const FAST = [
  ...["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "shared_buffers=64MB"],
  // Databases come by the hundred and last for seconds.
  "autovacuum=off",
];

/** @param settings as in `postgresql.conf` */
export async function startEmbedded(settings: readonly string[] = FAST): Promise<EmbeddedServer> {
  const folder = await mkdtemp(join(tmpdir(), "wireroom-postgres-"));
  try {
    return await startIn(folder, settings);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(folder: string, settings: readonly string[]): Promise<EmbeddedServer> {
  // As root, the server runs as another user, who must be able to enter.
  await chmod(folder, 0o755);
  const programs = await postgresPrograms(folder);
  const dataDir = await makeCluster(programs, folder);
  const port = await freePort();
  const flags = [...settings, "max_connections=400", "unix_socket_directories="];
  const launch = () =>
    launchServer(programs, ["-D", dataDir, "-p", String(port), ...flags.flatMap((flag) => ["-c", flag])]);
  let server = await launch();
  const signal = async (name: NodeJS.Signals) => {
    if (hasEnded(server)) return;
    const exited = once(server, "exit");
    server.kill(name);
    await exited;
  };
  const admin = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  // The daemons' role is nobody special: it owns its databases and what is in them.
  await administer(admin, "CREATE ROLE wireroom LOGIN CREATEDB PASSWORD 'wireroom'");
  await administer(admin, "CREATE DATABASE wireroom OWNER wireroom");
  return {
    url: `postgres://wireroom:wireroom@127.0.0.1:${port}/wireroom`,
    adminUrl: admin,
    dataDir,
    pid: () => server.pid!,
    // PostgreSQL's fast shutdown.
    halt: () => signal("SIGINT"),
    crash: signal,
    async start() {
      // Its memory stays taken until the last of the processes that a crash orphaned is gone.
      for (let attempt = 1; hasEnded(server); attempt++) {
        try {
          server = await launch();
        } catch (error) {
          if (attempt === START_ATTEMPTS) throw error;
          await new Promise((resolve) => setTimeout(resolve, 250));
        }
      }
    },
    async stop() {
      // What is thrown away need not be brought to rest first.
      await signal("SIGQUIT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Makes the files of a server, whose superuser is postgres with the password postgres; returns their folder. */
async function makeCluster({ initdb, user }: Programs, folder: string): Promise<string> {
  const dataDir = join(folder, "data");
  const password = join(folder, "password");
  await mkdir(dataDir);
  if (user) await chown(dataDir, user.uid, user.gid);
  await writeFile(password, "postgres\n");
  const flags = ["--username=postgres", "--auth=password", "--encoding=UTF8", "--locale=C", "--no-sync"];
  const options = { ...idsOf(user), cwd: folder };
  await promisify(execFile)(initdb, [...flags, `--pgdata=${dataDir}`, `--pwfile=${password}`], options).catch(
    (error: Error & { stderr?: string }) => {
      throw new NoPostgres(lastLine(error.stderr || error.message));
    },
  );
  return dataDir;
}

/** Starts the server; resolves once it accepts connections. */
async function launchServer({ postgres, user }: Programs, args: readonly string[]): Promise<ChildProcess> {
  const env = { ...process.env, LC_MESSAGES: "C" };
  const server = spawn(postgres, args, {
    ...idsOf(user),
    env,
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new NoPostgres(error.message)));
    server.once("close", () => reject(new NoPostgres(lastLine(log))));
    server.stderr!.on("data", (chunk: Buffer) => {
      if (!log.includes(READY)) log += chunk.toString();
      if (log.includes(READY)) resolve();
    });
  });
  return server;
}

const READY = "database system is ready to accept connections";

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)!;
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
