/** PgBouncer between daemons and PostgreSQL, if it is installed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { serverUser } from "./postgres-programs.js";

/** The startup parameters that the daemon sends, which PgBouncer must ignore. */
export const IGNORED_PARAMETERS =
  "options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout";

export interface PgBouncer {
  /** The URL of the database through PgBouncer. */
  url: string;
  /** Sends a signal to the process. */
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  /** Starts the process again after `kill`. */
  start(): Promise<void>;
  killAndRemove(): Promise<void>;
}

export function hasPgBouncer(): boolean {
  return spawnSync("pgbouncer", ["--version"]).status === 0;
}

/**
 * @param target URL of the database
 * @param settings settings as in `pgbouncer.ini`
 */
export async function startPgBouncer(target: string, settings: Record<string, string>): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), "wireroom-pgbouncer-"));
  const port = await freePort();
  const url = new URL(target);
  const lines = Object.entries({
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_type: "plain",
    auth_file: join(folder, "users"),
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const database = `wireroom = host=127.0.0.1 port=${url.port} dbname=wireroom`;
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, ["[databases]", database, "[pgbouncer]", ...lines, ""].join("\n"));
  await writeFile(join(folder, "users"), '"wireroom" "wireroom"\n');
  await chmod(folder, 0o755);
  // PgBouncer refuses to run as root.
  const { name } = serverUser() ?? {};
  const args = [...(name === undefined ? [] : ["-u", name]), file];
  let child!: ChildProcess;
  const start = async () => {
    child = spawn("pgbouncer", args, { stdio: "ignore" });
    await listening(port);
  };
  const kill = async () => {
    const exited = once(child, "exit");
    if (child.kill("SIGKILL")) await exited;
  };
  await start();
  url.port = String(port);
  return {
    url: url.href,
    signal: (signal) => void child.kill(signal),
    kill,
    start,
    async killAndRemove() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("PgBouncer does not start");
}
