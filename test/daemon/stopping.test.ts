import { readdirSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { DAY_MS, sendWire } from "../harness/api-helpers.js";
import { fastClockEnv } from "../harness/clock-skew.js";
import { NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { openDatabase, withDatabase } from "../harness/database.js";
import { hold } from "../harness/held-requests.js";
import { mapConcurrently } from "../harness/map-concurrently.js";
import { acceptsNothing, answersAnother, RawConnection } from "../harness/raw-http.js";
import { slowDownDeletion } from "../harness/slow-deletion.js";

/** The timers of the daemon that waits for a client run faster by this factor. */
const FACTOR = 5;

let daemon: TestDaemon | undefined;
afterEach(async () => {
  await daemon?.kill();
  await daemon?.stop();
  daemon = undefined;
});

async function start(env: Record<string, string> = {}, args: string[] = []): Promise<TestDaemon> {
  daemon = await startDaemon({ args: [...NO_LIMITS, ...args], env });
  return daemon;
}

/** Sends the signal. Returns the exit code and the duration in milliseconds. */
async function stopWith(
  running: TestDaemon,
  signal: NodeJS.Signals,
): Promise<{ code: number | null; ms: number }> {
  const began = Date.now();
  return new Promise((resolve) => {
    running.process.once("exit", (code) => resolve({ code, ms: Date.now() - began }));
    running.process.kill(signal);
  });
}

/** Stops a daemon while a request to it is incomplete, whose headers have not ended. */
async function stopDuringRequest() {
  const running = await start();
  const connection = await RawConnection.open(running.origin);
  connection.send("GET /v1/inbox HTTP/1.1\r\nHost: x\r\n");
  await answersAnother(running);
  const ended = stopWith(running, "SIGTERM");
  await acceptsNothing(running);
  return { running, connection, ended };
}

describe("a daemon that receives a stop signal", () => {
  // [D12-stop] [D12-foreground]
  it("SIGINT exits with 0, and does not wait for a collector of traces that cannot be reached", async () => {
    const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    await running.createAgent("alice");
    const { code, ms } = await stopWith(running, "SIGINT");
    expect(code).toBe(0);
    expect(ms).toBeLessThan(7_000);
  });

  // [D12-stop] [D12-foreground]
  it("SIGTERM exits with 0, returns 200 to waiting long-polls at once, and leaves a database that needs no recovery", async () => {
    const running = await start();
    const alice = await running.createAgent("alice");
    const bob = await running.createAgent("bob");
    await sendWire(alice, "alice", { text: "x" });
    const held = await hold(running, () => bob.get("/inbox?wait=60"));
    const { code, ms } = await stopWith(running, "SIGTERM");
    expect(code).toBe(0);
    expect(ms).toBeLessThan(8_000);
    expect(await held()).toMatchObject({ status: 200, body: { wires: [] } });
    const last = running.log().trimEnd().split("\n").at(-1)!;
    expect(JSON.parse(last)).toMatchObject({ msg: "stopped" });
    expect(readdirSync(running.dataDir).filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([]);
    const rows = await withDatabase(running.dataDir, (db) => db.all("PRAGMA integrity_check"));
    expect(rows).toEqual([{ integrity_check: "ok" }]);
  });

  // [D12-stop]
  it("leaves old wires that it has not deleted yet", async () => {
    const running = await start({}, ["--retain", "1"]);
    const alice = await running.createAgent("alice");
    const texts = Array.from({ length: 200 }, (_, n) => `old ${n}`);
    await mapConcurrently(texts, (text) => sendWire(alice, "alice", { text }));
    const database = await openDatabase(running.dataDir);
    await database.run("UPDATE wires SET created_at = created_at - ?", 2 * DAY_MS);
    const left = async () => (await database.all<{ n: number }>("SELECT count(*) AS n FROM wires"))[0]!.n;
    await slowDownDeletion(database);
    await running.restart();
    await expect.poll(left, { interval: 5 }).toBeLessThan(texts.length);
    const { code } = await stopWith(running, "SIGTERM");
    expect(code).toBe(0);
    expect(await left()).toBeGreaterThan(0);
    await database.close();
  });

  // [D12-stop] [D2-unavailable]
  it("completes the current request, and accepts no other one on its connection", async () => {
    const running = await start();
    const alice = await running.createAgent("alice");
    const body = JSON.stringify({ to: "alice", text: "slowly" });
    const slow = await RawConnection.open(running.origin);
    const idle = await RawConnection.open(running.origin);
    slow.send(
      `POST /v1/wires HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await answersAnother(running);
    const ended = stopWith(running, "SIGTERM");
    await acceptsNothing(running);
    // npm and a terminal can send a signal twice.
    running.process.kill("SIGTERM");
    slow.send(body.slice(5));
    const reply = await slow.readResponse();
    expect(reply).toMatchObject({ status: 201, headers: { connection: "close" } });
    expect(await idle.readResponse()).toBeUndefined();
    // The connection without a request does not delay the stop.
    expect(await ended).toEqual({ code: 0, ms: expect.toSatisfy((ms) => ms < 8_000) });
    const rows = await withDatabase(running.dataDir, (db) => db.all<{ id: string }>("SELECT id FROM wires"));
    expect(rows).toEqual([{ id: JSON.parse(reply!.text).id }]);
  });

  // [D12-stop] [D2-unavailable] [D2-retry-after]
  it("returns 503 with retry_after to a request that arrives during the stop", async () => {
    const { connection, ended } = await stopDuringRequest();
    const reply = await connection.send("\r\n").readResponse();
    expect(reply).toMatchObject({ status: 503, headers: { connection: "close", "retry-after": "1" } });
    expect(JSON.parse(reply!.text)).toMatchObject({ code: "UNAVAILABLE", retry_after: 1 });
    expect((await ended).code).toBe(0);
  });

  // [D12-stop-in-time]
  it("waits at most 10 s for a client that does not complete its request", async () => {
    const running = await start(fastClockEnv(FACTOR));
    const alice = await running.createAgent("alice");
    const stuck = await RawConnection.open(running.origin);
    stuck.send(
      `POST /v1/wires HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await answersAnother(running);
    const { code, ms } = await stopWith(running, "SIGTERM");
    expect(code).toBe(0);
    expect(ms).toBeGreaterThan(9_000 / FACTOR);
    expect(ms).toBeLessThan(8_000);
    stuck.close();
  });

  it("ends at once at a third signal", async () => {
    const { running, connection, ended } = await stopDuringRequest();
    running.process.kill("SIGINT");
    // Two signals that follow each other fast may arrive as one.
    const again = setInterval(() => running.process.kill("SIGTERM"), 100);
    try {
      expect(await ended).toEqual({ code: 1, ms: expect.toSatisfy((ms) => ms < 8_000) });
    } finally {
      clearInterval(again);
      connection.close();
    }
  });
});
