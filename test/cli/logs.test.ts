import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, readdir, rename, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CliSandbox } from "../harness/cli-sandbox.js";
import { fastClockEnv } from "../harness/clock-skew.js";
import { COMMAND } from "../harness/daemon.js";
import { Terminal } from "../harness/terminal.js";

let machine: CliSandbox;
let log: string;
beforeEach(async () => {
  machine = await CliSandbox.create();
  log = join(machine.dataDir, "daemon.log");
  await mkdir(machine.dataDir, { mode: 0o700 });
});
afterEach(() => machine.cleanUp());

const entry = (n: number) =>
  JSON.stringify({ level: 30, time: "2026-01-02T03:04:05.678Z", pid: 1, hostname: "h", n, msg: `line ${n}` });
const entries = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `${entry(from + i)}\n`).join("");

/** A line as the daemon writes it for each request. */
const REQUEST =
  '{"level":30,"time":"x","request_id":"r1","method":"GET","operation":"inbox.read","caller":"alice","status":200,"ms":2.5,"msg":"request"}';

const SERVING =
  '{"level":30,"time":"x","identity":{"mode":"embedded","issuer":"http://127.0.0.1:4747/identity"},"limits":"the defaults","msg":"serving"}';

describe("wireroom logs", () => {
  // [C-logs]
  it("prints the last lines unchanged, also of the rotated log", async () => {
    await writeFile(`${log}.1`, entries(0, 10));
    await writeFile(log, entries(10, 3_000));
    const numbers = async (args: string[]) => {
      const { code, stdout } = await machine.run(["logs", ...args]);
      expect(code).toBe(0);
      return stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).n);
    };
    expect(await numbers(["-n", "3"])).toEqual([2_997, 2_998, 2_999]);
    expect(await numbers([])).toHaveLength(50);
    expect(await numbers(["-n", "2995"])).toEqual(Array.from({ length: 2_995 }, (_, i) => i + 5));
    expect(await numbers(["-n", "99999"])).toHaveLength(3_000);
    expect(await numbers(["-n", "0"])).toEqual([]);
  });

  // [C-logs]
  it("prints JSON lines with --json, and readable lines on a terminal", async () => {
    await writeFile(
      log,
      `${entry(1)}\nplain words\n{"level":50,"time":"x","msg":"\\u001b[31mred","who":"\\u001b]0;x"}\n${REQUEST}\n${SERVING}\n`,
    );
    const { stdout } = await machine.spawn(["logs", "--json"]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { n: 1 },
      { msg: "plain words" },
      { level: 50 },
      { request_id: "r1" },
      { identity: { mode: "embedded" } },
    ]);

    const terminal = Terminal.wireroom(["logs"], { env: machine.env, columns: 120 });
    expect(await terminal.exitCode).toBe(0);
    const screen = await terminal.waitFor("limits=");
    expect(screen).toMatch(/2026-01-0\d \d\d:04:05\.678 INFO {2}line 1 n=1/);
    expect(screen).toContain("ERROR ␛[31mred who=␛]0;x");
    expect(screen).toContain("INFO  GET inbox.read 200 2.5 ms alice");
    expect(screen).toContain("INFO  serving identity=embedded limits=the defaults");
  });

  // [C-json-fields]
  it("prints the chosen fields of each line that has them", async () => {
    await writeFile(log, `${entry(1)}\n{"msg":"request","reqId":"r1"}\nplain words\n`);
    const { code, stdout, stderr } = await machine.run(["logs", "--json=msg,reqId"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe('{"msg":"line 1"}\n{"msg":"request","reqId":"r1"}\n{"msg":"plain words"}\n');
  });

  // [C-logs]
  it("reports that no daemon has run", async () => {
    const none = await machine.run(["logs", "--json"]);
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(none.stderr)).toMatchObject({ code: "FAILED" });
  });

  // [C-logs-follow]
  it("follows with -f across a rotation, and joins partial lines", async () => {
    await writeFile(log, entries(0, 5));
    const child = spawn(process.execPath, [COMMAND, "logs", "-f", "-n", "2"], {
      env: { ...process.env, ...machine.env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    const shown = () =>
      stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).n);
    const shows = (numbers: number[]) => expect.poll(shown, { timeout: 30_000 }).toEqual(numbers);
    await shows([3, 4]);
    const half = entry(5).slice(0, 20);
    await appendFile(log, half);
    await appendFile(log, `${entry(5).slice(20)}\n${entries(6, 8)}`);
    await shows([3, 4, 5, 6, 7]);
    await appendFile(log, entries(8, 9));
    await rename(log, `${log}.1`);
    await appendFile(`${log}.1`, entries(9, 10));
    await writeFile(log, entries(10, 12));
    await shows([3, 4, 5, 6, 7, 8, 9, 10, 11]);
    child.kill("SIGINT");
    const [code] = await once(child, "exit");
    expect(code).toBe(130);
  });

  // [C-logs-follow]
  it("exits with 130 after Ctrl-C on a terminal", async () => {
    await writeFile(log, entries(0, 1));
    const terminal = Terminal.wireroom(["logs", "-f"], { env: machine.env });
    await terminal.waitFor("line 0");
    terminal.press("\x03");
    expect(await terminal.exitCode).toBe(130);
  });

  // [C-closed-pipe]
  it("exits without an error if standard output is closed", async () => {
    await writeFile(log, entries(0, 20_000));
    const child = spawn(
      "/bin/bash",
      ["-c", `set -o pipefail; "$0" "$1" logs -n 20000 | head -n 1`, process.execPath, COMMAND],
      { env: { ...process.env, ...machine.env }, stdio: ["ignore", "pipe", "pipe"] },
    );
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const [code] = await once(child, "close");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

describe("the log of a background daemon", () => {
  // [C-logs-bounded]
  it("is rotated when it is full, at start and while the daemon runs", async () => {
    await writeFile(log, "");
    await truncate(log, 11 * 1024 * 1024);
    // The daemon looks at its log every 10 s.
    await machine.runJson(["up"], { env: fastClockEnv(5) });
    expect((await stat(`${log}.1`)).size).toBe(11 * 1024 * 1024);
    expect((await stat(log)).size).toBeLessThan(1024 * 1024);

    // The daemon may append a line before it rotates the file.
    await truncate(log, 12 * 1024 * 1024);
    await expect
      .poll(async () => (await stat(`${log}.1`)).size, { timeout: 50_000, interval: 100 })
      .toBeGreaterThanOrEqual(12 * 1024 * 1024);
    const { listen } = await machine.runJson(["status"]);
    await expect
      .poll(
        async () => {
          await fetch(`${listen}/healthz`);
          return (await machine.run(["logs", "-n", "1"])).stdout;
        },
        { timeout: 30_000 },
      )
      .toContain('"operation":"healthz"');
    expect((await readdir(machine.dataDir)).filter((name) => name.startsWith("daemon.log"))).toHaveLength(2);
  }, 120_000);
});
