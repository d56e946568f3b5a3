/**
 * Starts one PostgreSQL server for a test run, with binaries from npm, or uses the server of
 * `WIREROOM_TEST_POSTGRES_URL`. Its role must be allowed to create databases. Each data folder of the tests
 * has a separate database.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "./free-port.js";
import {
  PostgresUnavailable,
  type Programs,
  postgresPrograms,
  processIds,
  unavailableReason,
} from "./postgres-programs.js";

/** The environment variable with the URL of the template database, which is copied for each test database. */
const SERVER = "WIREROOM_TEST_POSTGRES_SERVER";

/** The global setup of Vitest's project `postgres`. */
export async function setup(): Promise<() => Promise<void>> {
  try {
    return await setUpServer();
  } catch (error) {
    // Vitest would report an unhandled error with a stack trace.
    process.stderr.write(`\n${new PostgresUnavailable(unavailableReason(error)).message}\n`);
    process.exit(1);
  }
}

/** Starts the server and creates the template database. */
async function setUpServer(): Promise<() => Promise<void>> {
  const own = process.env.WIREROOM_TEST_POSTGRES_URL;
  const { url, stopAndRemove } = own ? { url: own, stopAndRemove: async () => {} } : await startEmbedded();
  const template = `wireroom_template_${process.pid}`;
  await runStatement(url, `CREATE DATABASE ${template}`);
  // A dynamic import, because most tests load this file and the store takes most of a second to load.
  const { PostgresEngine } = await import("../../src/store/engine/postgres/index.js");
  const migrated = await PostgresEngine.open(urlOf(url, template));
  await migrated.close();
  process.env[SERVER] = urlOf(url, template);
  return async () => {
    await runStatement(url, `DROP DATABASE ${template}`);
    await stopAndRemove();
  };
}

export interface EmbeddedServer {
  /** The folder of the server's data and settings. */
  dataDir: string;
  /** The URL of an empty database, with a role that owns only this database. */
  url: string;
  /** The URL of the database `postgres` with the superuser. */
  adminUrl: string;
  /** Stops the server and keeps its data. */
  shutDown(): Promise<void>;
  /** The process id of the server. */
  pid(): number;
  /**
   * Stops the server with SIGQUIT (PostgreSQL's immediate shutdown) or SIGKILL. The next start runs the
   * recovery.
   */
  crash(signal: "SIGQUIT" | "SIGKILL"): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its data. */
  stopAndRemove(): Promise<void>;
}

const START_ATTEMPTS = 60;

/** Settings without durability: the tests crash daemons but not the machine, so fsync is unnecessary. */
const FAST_SETTINGS = [
  ...["fsync=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "shared_buffers=64MB"],
  // The tests create hundreds of databases that exist for seconds.
  "autovacuum=off",
];

/** @param settings settings as in `postgresql.conf` */
export async function startEmbedded(settings: readonly string[] = FAST_SETTINGS): Promise<EmbeddedServer> {
  const folder = await mkdtemp(join(tmpdir(), "wireroom-postgres-"));
  try {
    return await startServerIn(folder, settings);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startServerIn(folder: string, settings: readonly string[]): Promise<EmbeddedServer> {
  // If the tests run as root, the server runs as another user, who needs access to the folder.
  await chmod(folder, 0o755);
  const programs = await postgresPrograms(folder);
  const dataDir = await makeCluster(programs, folder);
  const server = await serveCluster({ folder, dataDir, programs, settings });
  // The role of the daemons has no privileges except for its databases.
  await runStatement(server.adminUrl, "CREATE ROLE wireroom LOGIN CREATEDB PASSWORD 'wireroom'");
  await runStatement(server.adminUrl, "CREATE DATABASE wireroom OWNER wireroom");
  return server;
}

/**
 * Starts a replica that streams from another server. Stops the other server while its files are copied.
 * @param source URL at which the replica reaches the other server, for example through a proxy
 */
export async function startReplica(
  primary: EmbeddedServer,
  source: string,
  settings: readonly string[],
): Promise<EmbeddedServer> {
  const folder = await mkdtemp(join(tmpdir(), "wireroom-postgres-"));
  await chmod(folder, 0o755);
  const programs = await postgresPrograms(folder);
  const dataDir = join(folder, "data");
  await primary.shutDown();
  await promisify(execFile)("cp", ["-a", primary.dataDir, dataDir]);
  await primary.start();
  const { hostname, port } = new URL(source);
  const login = "user=postgres password=postgres sslmode=disable gssencmode=disable";
  await appendFile(
    join(dataDir, "postgresql.auto.conf"),
    `primary_conninfo = 'host=${hostname} port=${port} ${login}'\n`,
  );
  await writeFile(join(dataDir, "standby.signal"), "");
  return serveCluster({ folder, dataDir, programs, settings });
}

interface Cluster {
  /** The folder of everything that belongs to the server. */
  folder: string;
  dataDir: string;
  programs: Programs;
  settings: readonly string[];
}

async function serveCluster({ folder, dataDir, programs, settings }: Cluster): Promise<EmbeddedServer> {
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
  return {
    url: `postgres://wireroom:wireroom@127.0.0.1:${port}/wireroom`,
    adminUrl: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    dataDir,
    pid: () => server.pid!,
    // SIGINT is PostgreSQL's fast shutdown.
    shutDown: () => signal("SIGINT"),
    crash: signal,
    async start() {
      // The start fails until the last child process of the crashed server has released its shared memory.
      for (let attempt = 1; hasEnded(server); attempt++) {
        try {
          server = await launch();
        } catch (error) {
          if (attempt === START_ATTEMPTS) throw error;
          await new Promise((resolve) => setTimeout(resolve, 250));
        }
      }
    },
    async stopAndRemove() {
      // The data is removed, so a clean shutdown is unnecessary.
      await signal("SIGQUIT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Creates a cluster whose superuser is postgres with password postgres. Returns its folder. */
async function makeCluster({ initdb, user }: Programs, folder: string): Promise<string> {
  const dataDir = join(folder, "data");
  const password = join(folder, "password");
  await mkdir(dataDir);
  if (user) await chown(dataDir, user.uid, user.gid);
  await writeFile(password, "postgres\n");
  const flags = ["--username=postgres", "--auth=password", "--encoding=UTF8", "--locale=C", "--no-sync"];
  const options = { ...processIds(user), cwd: folder };
  await promisify(execFile)(initdb, [...flags, `--pgdata=${dataDir}`, `--pwfile=${password}`], options).catch(
    (error: Error & { stderr?: string }) => {
      throw new PostgresUnavailable(lastLine(error.stderr || error.message));
    },
  );
  return dataDir;
}

/** Starts the server. Resolves once it accepts connections. */
async function launchServer({ postgres, user }: Programs, args: readonly string[]): Promise<ChildProcess> {
  const env = { ...process.env, LC_MESSAGES: "C" };
  const server = spawn(postgres, args, {
    ...processIds(user),
    env,
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new PostgresUnavailable(error.message)));
    server.once("close", () => reject(new PostgresUnavailable(lastLine(log))));
    server.stderr!.on("data", (chunk: Buffer) => {
      if (!READY.test(log)) log += chunk.toString();
      if (READY.test(log)) resolve();
    });
  });
  return server;
}

/** A replica is ready for reads. */
const READY = /database system is ready to accept (read-only )?connections/;

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)!;
}

let databases = 0;

/** Creates a migrated database. Returns its URL. */
export async function createDatabase(): Promise<string> {
  const url = serverUrl();
  const template = new URL(url).pathname.slice(1);
  const name = `${template}_${process.pid}_${databases++}`;
  await runStatement(urlOf(url, "postgres"), `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return urlOf(url, name);
}

/** Creates an empty database. Returns its URL. */
export async function createEmptyDatabase(): Promise<string> {
  const url = serverUrl();
  const name = `${new URL(url).pathname.slice(1)}_${process.pid}_${databases++}`;
  await runStatement(urlOf(url, "postgres"), `CREATE DATABASE ${name}`);
  return urlOf(url, name);
}

/** Replaces a database, if it exists, with a copy of another one to which nobody is connected. */
export async function replaceDatabase(url: string, source: string): Promise<void> {
  await dropDatabase(url);
  const [name, template] = [url, source].map((each) => new URL(each).pathname.slice(1));
  await runStatement(urlOf(serverUrl(), "postgres"), `CREATE DATABASE ${name} TEMPLATE ${template}`);
}

export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await runStatement(urlOf(url, "postgres"), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

function serverUrl(): string {
  const url = process.env[SERVER];
  if (!url) throw new Error("no PostgreSQL server was started; run the Vitest project `postgres`");
  return url;
}

function urlOf(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

async function runStatement(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
