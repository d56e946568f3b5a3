/** Runs the scripts of `examples` as a user does: each as a process that acts as a handle. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { COMMAND } from "../harness/daemon.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

export const EXAMPLES = resolve(import.meta.dirname, "../../examples");

export interface Output {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A script that runs until it is stopped. */
export interface RunningScript {
  /** The first line that it printed. */
  firstLine: Promise<string>;
  /** Resolves when it has ended on its own. */
  ended: Promise<Output>;
  /** Sends SIGTERM. Resolves when it has ended. */
  stop(): Promise<Output>;
  /** Sends SIGKILL. */
  kill(): void;
}

/** @param line path of a script of Node, and its arguments */
function spawnNode(line: readonly string[], env: Record<string, string>, cwd = EXAMPLES): ChildProcess {
  return spawn(process.execPath, line, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function outputOf(child: ChildProcess): Promise<Output> {
  const [stdout, stderr] = await Promise.all([text(child.stdout!), text(child.stderr!)]);
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  return { code: child.exitCode, stdout, stderr };
}

/** Runs a script to its end. @param line its path, relative to `examples`, and its arguments */
export function runScript(line: readonly string[], env: Record<string, string>): Promise<Output> {
  return outputOf(spawnNode(line, env));
}

/**
 * Runs lines of a page in bash, in the folder of the repository and with a new home folder. `wireroom` is the
 * built command. Jobs that still run are ended.
 */
export function runShell(lines: string, env: Record<string, string>): Promise<Output> {
  const home = new TemporaryFolder("wireroom-shell-").path;
  const begin = `trap 'kill $(jobs -p) 2> /dev/null' EXIT; wireroom() { node ${JSON.stringify(COMMAND)} "$@"; }`;
  const run = `${begin}\nset -e\n${lines}`;
  const child = spawn("bash", ["-c", run], {
    cwd: resolve(EXAMPLES, ".."),
    env: { ...process.env, HOME: home, WIREROOM_CONFIG_DIR: home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return outputOf(child);
}

/** Starts a script that runs until it is stopped. */
export function startScript(line: readonly string[], env: Record<string, string>): RunningScript {
  return running(spawnNode(line, env));
}

/** Starts a command of `wireroom` in a folder of the examples. */
export function startCommand(
  args: readonly string[],
  env: Record<string, string>,
  folder: string,
): RunningScript {
  const own = { WIREROOM_CONFIG_DIR: new TemporaryFolder("wireroom-example-").path, ...env };
  return running(spawnNode([COMMAND, ...args], own, resolve(EXAMPLES, folder)));
}

function running(child: ChildProcess): RunningScript {
  const output = outputOf(child);
  const firstLine = new Promise<string>((resolve, reject) => {
    let seen = "";
    child.stdout!.on("data", (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes("\n")) resolve(seen.slice(0, seen.indexOf("\n")));
    });
    child.once("close", () => output.then(({ stderr }) => reject(new Error(stderr))));
  });
  firstLine.catch(() => {});
  return {
    firstLine,
    ended: output,
    stop() {
      child.kill("SIGTERM");
      return output;
    },
    kill: () => child.kill("SIGKILL"),
  };
}
