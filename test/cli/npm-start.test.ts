/** Tests of `npm start`: a signal to npm or its shell stops the daemon, too. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isRunning } from "../harness/cli-sandbox.js";
import { freePort } from "../harness/free-port.js";
import { TemporaryFolder } from "../harness/temporary-folder.js";

const root = resolve(import.meta.dirname, "../..");

let npm: ChildProcess;
let stderr: string;
let port: number;
/** The state file of the daemon, which a graceful stop deletes. */
let state: string;
/** Process id of the daemon. */
let daemon: number;
/** Process ids between npm and the daemon, the child of npm first. */
let between: number[];

beforeEach(async () => {
  const dataDir = new TemporaryFolder("wireroom-start-").path;
  port = await freePort();
  const args = ["start", "--", "--port", String(port), "--data-dir", dataDir];
  // Its own process group, as with a terminal or a service manager.
  npm = spawn("npm", args, { cwd: root, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  stderr = "";
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
  // Processes are left in the group only after a failed test.
  try {
    process.kill(-npm.pid!, "SIGKILL");
  } catch {}
});

async function expectEndsBy(signal: NodeJS.Signals, target: number): Promise<void> {
  const exited = once(npm, "exit");
  process.kill(target, signal);
  await exited;
  await expect.poll(() => isRunning(daemon), { timeout: 10_000 }).toBe(false);
  await expect(connect(port)).rejects.toThrow("ECONNREFUSED");
  expect(existsSync(state)).toBe(false);
}

// [C-start-ends]
it("npm start prints the next commands as they work in a new shell, and its process ends the daemon at SIGTERM", async () => {
  const text = () => stderr.slice(stderr.indexOf("Next, in another terminal"));
  await expect.poll(text).toContain("wireroom init alice --data-dir '/");
  for (const line of ["wireroom inbox --as @bob", `export WIREROOM_URL=http://127.0.0.1:${port}/v1`])
    expect(text()).toContain(line);
  const commands = text()
    .split("\n")
    .map((line) => line.trim());
  const setPath = commands.find((line) => line.startsWith("export PATH="));
  const version = execFileSync("bash", ["-c", `${setPath ?? ":"}\nwireroom --version`], { cwd: root });
  expect(version.toString()).toMatch(/^\d+\.\d+\.\d+$/m);
  const misplaced = spawnSync(process.execPath, ["scripts/start.mjs", "8080"], {
    cwd: root,
    timeout: 10_000,
  });
  expect([misplaced.status, misplaced.stderr.toString()]).toEqual([
    2,
    expect.stringContaining("npm start -- "),
  ]);
  await expectEndsBy("SIGTERM", npm.pid!);
});

// [C-start-ends]
it.each<[what: string, signal: NodeJS.Signals, target: () => number]>([
  ["shell", "SIGKILL", () => between[0]!],
  ["process group", "SIGTERM", () => -npm.pid!],
])("a signal to npm start, whose %s gets %s, stops the daemon", (_what, signal, target) =>
  expectEndsBy(signal, target()),
);

/** Returns the process ids from `upTo` down to the process, in the order in which they were started. */
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
