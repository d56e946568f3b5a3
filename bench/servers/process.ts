/** Starts and stops the measured programs, each on a free port. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Server {
  pid: number;
  /** The URL at which it listens, such as `http://127.0.0.1:4747`. */
  url: string;
  /** Milliseconds from the start of the process to its ready line. */
  startedIn: number;
  /** Other servers of the same service. The load is distributed over all of them. */
  beside?: readonly Server[];
  /** The data directory of a daemon. */
  folder?: string;
  /** Process id of the database server, if there is one. */
  database?: number | undefined;
  stop(): Promise<void>;
}

export interface Program {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/** Starts a program and waits for its ready line, a line of JSON with its URL. Its log goes to a file. */
export async function startServer({ command, args, env }: Program): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), "wireroom-bench-log-"));
  const log = join(folder, "stderr.log");
  const descriptor = openSync(log, "w");
  const started = performance.now();
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", descriptor],
  });
  closeSync(descriptor);
  const line = await firstLine(child, () => readFileSync(log, "utf8"));
  const startedIn = performance.now() - started;
  const { listen } = JSON.parse(line) as { listen: string };
  return {
    pid: child.pid!,
    url: listen,
    startedIn,
    async stop() {
      await stopProcess(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a JavaScript program with the same version of Node. */
export function startNodeServer(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Server> {
  return startServer({ command: process.execPath, args, ...(env && { env }) });
}

/** Stops a process with SIGTERM, or with SIGKILL if it does not exit. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const impatient = setTimeout(() => child.kill("SIGKILL"), 15_000);
  await exited;
  clearTimeout(impatient);
}

function firstLine(child: ChildProcess, log: () => string): Promise<string> {
  let stdout = "";
  return new Promise((resolve, reject) => {
    child.stdout!.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      const end = stdout.indexOf("\n");
      if (end >= 0) resolve(stdout.slice(0, end));
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      // After a long run, the log is too large to be read.
      if (!stdout.includes("\n"))
        reject(new Error(`the server exited with ${code}: ${log().slice(-10_000)}`));
    });
  });
}
