/**
 * Attacks with clients that send slowly, or do not read (CWE-400: Slowloris, slow read). The daemon and they
 * live three times as fast.
 */
import { describe, expect, it } from "vitest";
import { fastClockEnv } from "../harness/clock-skew.js";
import { NO_LIMITS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { RawConnection } from "../harness/raw-http.js";

const FACTOR = 3;
const { daemon, alice, bob } = await daemonFixture(["alice", "bob"], {
  args: NO_LIMITS,
  env: fastClockEnv(FACTOR),
});
/** A second on the clock of the daemon, in milliseconds. */
const SECOND = 1_000 / FACTOR;
const MIB = 1024 * 1024;
/**
 * Much longer than the 30 s that are due, because a busy machine is late, and less than the 60 s of Node's
 * default.
 */
const SOON_S = 55;

/** Fills the inbox of an agent with about 8 MiB. */
async function fillInbox(to: string): Promise<void> {
  for (let i = 0; i < 32; i += 4) {
    const post = () => bob.post("/wires", { to, payload: "x".repeat(250_000) });
    await Promise.all([post(), post(), post(), post()]);
  }
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${daemon.origin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

/** Opens a connection that sends this and reads nothing. */
async function openWithoutReading(bytes: string): Promise<RawConnection> {
  const connection = await RawConnection.open(daemon.origin);
  connection.socket.pause();
  return connection.send(bytes);
}

const request = (path: string, key = alice.key) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

/**
 * Resolves with the duration in seconds, on the clock of the daemon, until the daemon has closed the
 * connection.
 */
function secondsUntilClosed(connection: RawConnection): Promise<number> {
  const began = Date.now();
  return new Promise((resolve) => {
    connection.socket.once("close", () => resolve((Date.now() - began) / SECOND));
  });
}

describe.concurrent("a client that", () => {
  // [D2-slow-clients]
  it("sends its headers a byte a second is disconnected within 30 s", async () => {
    const connections = await Promise.all(
      Array.from({ length: 50 }, () => RawConnection.open(daemon.origin)),
    );
    const timer = setInterval(() => {
      for (const { socket } of connections) if (socket.writable) socket.write("a");
    }, SECOND);
    for (const connection of connections) connection.send("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    const seconds = await Promise.all(connections.map(secondsUntilClosed));
    clearInterval(timer);
    expect(Math.max(...seconds)).toBeLessThan(SOON_S);
  });

  // [D2-slow-clients]
  it("sends nothing is disconnected within 30 s, without a response", async () => {
    const connection = await RawConnection.open(daemon.origin);
    expect(await secondsUntilClosed(connection)).toBeLessThan(SOON_S);
    expect(connection.rest).toBe("");
  });

  // [D2-slow-clients]
  it("does not read its response is disconnected after 30 s, even if it goes on sending", async () => {
    await fillInbox("alice");
    const page = await alice.get("/inbox?limit=100");
    expect(JSON.stringify(page.body).length).toBeGreaterThan(2 * MIB);
    const connections = await Promise.all(
      // The buffers of the system may hold a whole response, so the next ones must wait.
      Array.from({ length: 12 }, () => openWithoutReading(request("/v1/inbox?limit=100").repeat(3))),
    );
    await expect
      .poll(() => metric("wireroom_waiting_response_bytes"), { timeout: 20_000 })
      .toBeGreaterThan(20 * MIB);
    const timer = setInterval(() => {
      for (const { socket } of connections) if (socket.writable) socket.write("GET /v1/inbox HTTP/1.1\r\n");
    }, 5 * SECOND);
    await expect
      .poll(() => metric("wireroom_waiting_response_bytes"), { timeout: 45_000, interval: 500 })
      .toBe(0);
    clearInterval(timer);
    for (const connection of connections) connection.close();
    expect((await alice.get("/inbox?limit=100")).status).toBe(200);
  });

  // [D2-slow-clients]
  it("reads slowly gets its complete response", async () => {
    const carol = await daemon.createAgent("carol");
    await fillInbox("carol");
    const connection = await openWithoutReading(request("/v1/inbox?limit=100", carol.key));
    // Reads 64 KiB a second for longer than the limit, and then the rest.
    const timer = setInterval(() => connection.socket.read(65_536), SECOND);
    setTimeout(() => connection.socket.resume(), 35 * SECOND);
    const response = await connection.readResponse();
    clearInterval(timer);
    connection.close();
    expect(response?.status).toBe(200);
    expect(JSON.parse(response!.text).wires.length).toBeGreaterThan(5);
  });
});
