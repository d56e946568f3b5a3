/** Runs a daemon as a child process, for tests and `wireroom demo`. The daemon ends when its parent ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `wireroom daemon` prints this JSON line when it is ready (docs/specification/running.md). */
interface Ready {
  base_url: string;
  mcp_url: string;
}

export interface RunningDaemon {
  readonly baseUrl: string;
  readonly mcpUrl: string;
  readonly pid: number;
  /** The data folder. */
  readonly folder: string;
  /** Lets the daemon outlive this process. It still deletes its folder when it ends. */
  keep(): void;
  /** Stops the daemon and deletes its folder. */
  stop(): Promise<void>;
}

/** The daemon runs on Node even if the tests run on Bun or Deno. */
const NODE = process.versions.bun || process.versions.deno ? "node" : process.execPath;
const STOP_TIMEOUT_MS = 5_000;
/** If the start fails, the error message quotes this many characters from the end of the log. */
const QUOTED_LOG = 2_000;

/**
 * Uses a free port and an empty temporary folder.
 * @param command path of the command's JavaScript file
 * @param args flags of `wireroom daemon`
 * @param detached whether the daemon gets its own session, which signals of the terminal do not reach
 */
export async function startDaemon(
  command: string,
  args: readonly string[],
  { detached = false } = {},
): Promise<RunningDaemon> {
  const folder = await mkdtemp(join(tmpdir(), "wireroom-kit-"));
  const child = spawn(
    NODE,
    ["--import", guardModule(folder), command, "daemon", "--port", "0", "--data-dir", folder, ...args],
    { env: environment(), stdio: ["ignore", "pipe", "pipe", "ipc"], detached },
  );
  try {
    const { base_url: baseUrl, mcp_url: mcpUrl } = await readiness(child);
    doNotWaitFor(child);
    return {
      ...{ baseUrl, mcpUrl, folder, pid: child.pid! },
      keep: () => void child.send("keep"),
      stop: () => stop(child, folder),
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Returns the URL of a module that the daemon's process loads before the daemon. The IPC channel closes when
 * the parent ends, even by SIGKILL. The module then ends the daemon, unless a message asked to keep it. The
 * folder is deleted when the daemon ends.
 */
function guardModule(folder: string): string {
  const code = `
    import { rmSync } from "node:fs";
    import { isMainThread } from "node:worker_threads";
    // The worker threads of the daemon also run this module.
    if (isMainThread) {
      process.once("exit", () => rmSync(${JSON.stringify(folder)}, { recursive: true, force: true, maxRetries: 3 }));
      const end = () => process.exit();
      process.once("disconnect", end);
      process.once("message", () => process.off("disconnect", end));
      if (!process.connected) end();
      process.channel.unref();
    }`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** Omits Wireroom's variables, which could select another database. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("WIREROOM_")));
}

function readiness(child: ChildProcess): Promise<Ready> {
  return new Promise((resolve, reject) => {
    let output = "";
    let log = "";
    child.stdout!.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("\n")) resolve(JSON.parse(output.slice(0, output.indexOf("\n"))) as Ready);
    });
    child.stderr!.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-QUOTED_LOG);
    });
    child.once("error", reject);
    child.once("close", (code) => {
      reject(new Error(`the daemon ended with exit code ${code} before it was ready: ${log.trim()}`));
    });
  });
}

/** Lets this process end even if `stop` was not called. */
function doNotWaitFor(child: ChildProcess): void {
  // On Bun, the channel has no `unref`.
  const handles = [child, child.channel, child.stdout, child.stderr] as { unref?(): void }[];
  for (const handle of handles) handle.unref?.();
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.ref();
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  }
  await rm(folder, { recursive: true, force: true });
}
