/** Programs under measurement: started on a free port, watched, and stopped. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Server {
  pid: number;
  /** Where it listens, such as `http://127.0.0.1:4747`. */
  url: string;
  /** Milliseconds from being started to its ready line. */
  startedIn: number;
  /** Others that serve the same: load is spread between all of them. */
  beside?: readonly Server[];
  /** Process of the database's server, where it has one of its own. */
  database?: number | undefined;
  stop(): Promise<void>;
}

export interface Program {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
}

/** Starts a program that says where it listens in one line of JSON, and waits for that line. Its log goes to a file. */
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

/** Starts a compiled program of the benchmarks, or another, with this very Node. */
export function startNodeServer(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Server> {
  return startServer({ command: process.execPath, args, ...(env && { env }) });
}

/** SIGTERM; SIGKILL where that does not end it. */
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
    child.once("exit", (code) =>
      reject(new Error(`the server exited with ${code}: ${log().slice(-10_000)}`)),
    );
  });
}
