/** Attacks with many clients that request long pages and read none of them (CWE-770). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectOk } from "../harness/api-helpers.js";
import type { AgentClient } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { jsonRpcToolCaller, postToMcp } from "../harness/mcp.js";
import { RawConnection } from "../harness/raw-http.js";

const { daemon, alice, bob } = await daemonFixture(["alice", "bob"]);
const MIB = 1024 * 1024;
/** Limits of `daemon/http/memory.ts`. */
const MAX_WAITING_BYTES_PER_ACCOUNT = 64 * MIB;
const MAX_WAITING_BYTES = 256 * MIB;

for (let i = 0; i < 16; i += 4) {
  const post = () => bob.post("/wires", { to: "alice", payload: "x".repeat(250_000) });
  await Promise.all([post(), post(), post(), post()]);
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${daemon.origin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

const waitingBytes = () => metric("wireroom_waiting_response_bytes");

/** Memory of the daemon's process in bytes. */
function rssBytes(): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${daemon.process.pid}/status`, "utf8"))!;
  return Number(kib) * 1024;
}

const requestOf = (path: string, { key }: AgentClient) =>
  `GET /v1${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
const request = requestOf("/inbox?limit=100", alice);

async function openWithoutReading(count: number, bytes: string): Promise<RawConnection[]> {
  const connections = await Promise.all(
    Array.from({ length: count }, () => RawConnection.open(daemon.origin)),
  );
  for (const connection of connections) {
    connection.socket.pause();
    connection.send(bytes);
  }
  return connections;
}

describe("responses that nobody reads", () => {
  // [D2-waiting-bytes]
  it("are limited for each account, above which its reads get 503 and other accounts do not", async () => {
    const before = rssBytes();
    const connections = await openWithoutReading(40, request.repeat(2));
    await expect
      .poll(waitingBytes, { timeout: 45_000 })
      .toBeGreaterThan(MAX_WAITING_BYTES_PER_ACCOUNT * 0.75);
    let peak = 0;
    for (let i = 0; i < 20; i++) {
      peak = Math.max(peak, rssBytes());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await waitingBytes()).toBeLessThanOrEqual(MAX_WAITING_BYTES_PER_ACCOUNT);
    expect((peak - before) / MIB).toBeLessThan(1_024);

    const refused = await alice.get("/inbox?limit=100");
    expect(refused).toMatchObject({ status: 503, body: { code: "UNAVAILABLE", retry_after: 1 } });
    expect(refused.headers.get("retry-after")).toBe("1");
    expect((await jsonRpcToolCaller(daemon, alice).call("read_inbox", { limit: 100 })).body).toMatchObject({
      code: "UNAVAILABLE",
      retry_after: 1,
    });
    // Short responses and writes are not refused, and neither are the reads of other accounts.
    expect((await alice.get("/profile")).status).toBe(200);
    expect((await alice.post("/wires", { to: "bob", payload: "x".repeat(100_000) })).status).toBe(201);
    expect((await bob.get("/inbox")).status).toBe(200);

    for (const connection of connections) connection.close();
    await expect.poll(waitingBytes).toBe(0);
    expect((await alice.get("/inbox?limit=100")).status).toBe(200);
  });

  // [D2-waiting-bytes]
  it("of several accounts together do not keep another account from reading", async () => {
    await expectOk(bob.post("/spaces", { slug: "large", visibility: "public" }), 201);
    for (let i = 0; i < 16; i++) await bob.post("/wires", { to: "#large", payload: "x".repeat(250_000) });
    const page = "/spaces/large/wires?limit=100";
    const connections = [];
    for (let i = 0; i < 5; i++) {
      // The buffers of the system may hold the first response of a connection.
      const accomplice = await daemon.createAgent(`accomplice-${i}`);
      connections.push(...(await openWithoutReading(18, requestOf(page, accomplice).repeat(2))));
    }
    await expect.poll(waitingBytes, { timeout: 45_000 }).toBeGreaterThan(MAX_WAITING_BYTES - 4 * MIB);
    for (let i = 0; i < 5; i++) expect((await bob.get(page)).status).toBe(200);
    expect(await waitingBytes()).toBeLessThanOrEqual(MAX_WAITING_BYTES);
    for (const connection of connections) connection.close();
    await expect.poll(waitingBytes).toBe(0);
  });

  // [D2-waiting-bytes]
  it("do not include the requests that one connection pipelines", async () => {
    const [connection] = await openWithoutReading(1, request.repeat(90));
    await expect.poll(waitingBytes).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await waitingBytes()).toBeLessThan(9 * MIB);
    connection!.close();
    await expect.poll(waitingBytes).toBe(0);
  });

  // [D2-mcp-batch]
  it("do not include more than 20 messages of an MCP batch", async () => {
    const call = (id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "read_inbox", arguments: { limit: 1 } },
    });
    const batch = (length: number) => Array.from({ length }, (_, id) => call(id));
    const refused = await postToMcp(daemon, bob.key, batch(21));
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ jsonrpc: "2.0", error: { message: expect.stringContaining("20") } });
    expect((await postToMcp(daemon, bob.key, batch(20))).body).toHaveLength(20);
  });
});
