/** `npm start`: whatever ends npm or its shell ends the daemon too. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Folder } from "../harness/folder.js";
import { freePort } from "../harness/free-port.js";
import { isAlive } from "../harness/machine.js";

const root = resolve(import.meta.dirname, "../..");

let npm: ChildProcess;
let port: number;
/** Removed by a daemon that stops gracefully. */
let state: string;
/** Process that serves. */
let daemon: number;
/** Processes between npm and the daemon, the child of npm first. */
let between: number[];

beforeEach(async () => {
  const dataDir = new Folder("wireroom-start-").path;
  port = await freePort();
  const args = ["start", "--", "--port", String(port), "--data-dir", dataDir];
  // A process group of its own, as a terminal or a service manager gives it.
  npm = spawn("npm", args, { cwd: root, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  npm.stderr!.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  npm.stdout!.resume();
  await expect.poll(() => stderr, { timeout: 50_000 }).toContain(`running at http://127.0.0.1:${port}/v1`);
  state = join(dataDir, "daemon.json");
  daemon = JSON.parse(readFileSync(state, "utf8")).pid;
  between = ancestors(daemon, npm.pid!);
});

afterEach(() => {
  // Only where a test has failed is anything left of the group.
  try {
    process.kill(-npm.pid!, "SIGKILL");
  } catch {}
});

it.each<[what: string, signal: NodeJS.Signals, target: () => number]>([
  ["npm process", "SIGTERM", () => npm.pid!],
  ["shell", "SIGTERM", () => between[0]!],
  ["shell", "SIGKILL", () => between[0]!],
  ["process group", "SIGTERM", () => -npm.pid!],
])("whose %s gets %s stops its daemon [C-start-ends]", async (_what, signal, target) => {
  const exited = once(npm, "exit");
  process.kill(target(), signal);
  await exited;
  await expect.poll(() => isAlive(daemon), { timeout: 10_000 }).toBe(false);
  await expect(connect(port)).rejects.toThrow("ECONNREFUSED");
  expect(existsSync(state)).toBe(false);
});

/** Parents of a process up to an ancestor, in the order in which they were started. */
function ancestors(pid: number, upTo: number): number[] {
  const parent = Number(execFileSync("ps", ["-o", "ppid=", "-p", String(pid)]).toString());
  return parent === upTo ? [pid] : [...ancestors(parent, upTo), pid];
}

async function connect(port: number): Promise<void> {
  const socket = createConnection(port, "127.0.0.1");
  try {
    await once(socket, "connect");
  } finally {
    socket.destroy();
  }
}
