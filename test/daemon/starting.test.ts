import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { COMMAND } from "../harness/daemon.js";
import { freePort } from "../harness/free-port.js";
import { RawConnection } from "../harness/raw-http.js";

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let dataDir: string | undefined;
let child: ChildProcess | undefined;
afterEach(async () => {
  child?.kill("SIGKILL");
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

/** Starts a daemon without waiting for it. */
async function spawnDaemon() {
  dataDir = await mkdtemp(join(tmpdir(), "wireroom-start-"));
  const port = await freePort();
  const args = [COMMAND, "daemon", "--port", String(port), "--data-dir", dataDir];
  child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const ready = once(child.stdout!, "data");
  return { process: child, ready, origin: `http://127.0.0.1:${port}`, dataDir };
}

// [D12-ready-first]
it("a daemon answers every request that it accepts while it starts", async () => {
  const { ready, origin } = await spawnDaemon();
  let isReady = false;
  void ready.then(() => {
    isReady = true;
  });
  const statuses: Promise<number | undefined>[] = [];
  while (!isReady) {
    const connection = await RawConnection.open(origin).catch(() => undefined);
    const status = connection?.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").readResponse();
    if (status) statuses.push(status.then((response) => response?.status));
    await delay(2);
  }
  await delay(100);
  const last = RawConnection.open(origin).then((connection) =>
    connection.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").readResponse(),
  );
  expect((await last)?.status).toBe(200);
  const unanswered = delay(10_000).then(() => "no response");
  const results = await Promise.all(statuses.map((status) => Promise.race([status, unanswered])));
  expect(results.filter((status) => status !== 200)).toEqual([]);
});

// [D12-stop]
it("a daemon that receives SIGTERM while it starts exits with 0 at once", async () => {
  const daemon = await spawnDaemon();
  await expect.poll(() => existsSync(join(daemon.dataDir, "wireroom.db")), { timeout: 20_000 }).toBe(true);
  const requests = setInterval(() => {
    RawConnection.open(daemon.origin)
      .then((connection) => connection.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"))
      .catch(() => undefined);
  }, 2);
  await delay(200);
  daemon.process.kill("SIGTERM");
  const began = Date.now();
  const [code] = await once(daemon.process, "exit");
  clearInterval(requests);
  expect(code).toBe(0);
  expect(Date.now() - began).toBeLessThan(8_000);
});
