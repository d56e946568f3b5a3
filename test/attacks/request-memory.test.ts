/**
 * Attacks with requests that are never complete, arrive in tiny pieces, or wait behind a held one (CWE-770).
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectOk } from "../harness/api-helpers.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { answersAnother, RawConnection } from "../harness/raw-http.js";

const { daemon, alice, bob } = await daemonFixture(["alice", "bob"]);
const MIB = 1024 * 1024;
/** Limit of `daemon/http/memory.ts` for an account, and for a source. */
const MAX_BYTES = 16 * MIB;
const BODY_BYTES = 250_000;
/** Bodies that fit into the limit. */
const FITTING = Math.floor(MAX_BYTES / BODY_BYTES);

/** Memory of the daemon's process in bytes. */
function rssBytes(): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${daemon.process.pid}/status`, "utf8"))!;
  return Number(kib) * 1024;
}

/** Bytes that the daemon's process has read. */
function readBytes(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${daemon.process.pid}/io`, "utf8"))![1]);
}

const head = (path: string, key: string, framing: string) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nAccept: application/json\r\n${framing}\r\n\r\n`;

async function openMany(count: number, bytes: string): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  for (let n = 0; n < count; n++) {
    const connection = await RawConnection.open(daemon.origin);
    await new Promise<void>((resolve) => connection.socket.write(bytes, () => resolve()));
    connections.push(connection);
    if (n % 20 === 19) await answersAnother(daemon);
  }
  return connections;
}

/** Returns how many connections have got a response. */
const answered = (connections: RawConnection[]) => connections.filter(({ rest }) => rest !== "");

describe("bodies that are never complete", () => {
  // [D2-request-memory]
  it.each(["/v1/wires", "/mcp"])(
    "to %s are limited for each account: the oldest get 503, and the next is accepted",
    async (path) => {
      const count = 3 * FITTING;
      const unfinished = head(path, alice.key, "Content-Length: 260000") + " ".repeat(BODY_BYTES);
      const connections = await openMany(count, unfinished);
      await expect.poll(() => answered(connections).length).toBeGreaterThanOrEqual(count - FITTING);
      expect(answered(connections).length).toBeLessThanOrEqual(count - FITTING + 2);
      expect(answered(connections)).toContain(connections[0]);
      expect(answered(connections)).not.toContain(connections.at(-1));
      const refused = await connections[0]!.readResponse();
      expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
      expect(JSON.parse(refused!.text)).toMatchObject({ code: "UNAVAILABLE", retry_after: 1 });
      // What was not refused may be finished, by this account and others.
      const payload = { to: "bob", payload: "x".repeat(200_000) };
      await expectOk(alice.post("/wires", payload), 201);
      await expectOk(bob.post("/wires", payload), 201);
      for (const connection of connections) connection.close();
    },
  );

  // [D2-request-memory]
  it("without an account are limited for each source, on the endpoints of the identity provider, too", async () => {
    const embedded = await daemonFixture([], { embeddedIdentity: true });
    // Loads the identity provider.
    await (await fetch(`${embedded.daemon.origin}/identity/.well-known/openid-configuration`)).text();
    const size = 50_000;
    const fitting = Math.floor(MAX_BYTES / size);
    const form = `POST /identity/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 56000\r\n\r\n${"a".repeat(size)}`;
    const connections: RawConnection[] = [];
    for (let n = 0; n < fitting + 40; n++)
      connections.push((await RawConnection.open(embedded.daemon.origin)).send(form));
    await expect.poll(() => answered(connections).length).toBeGreaterThan(20);
    const refused = await answered(connections)[0]!.readResponse();
    expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
    expect(answered(connections).length).toBeLessThan(60);
    for (const connection of connections) connection.close();
  });
});

describe("bodies in small pieces", () => {
  // [D2-request-memory]
  it("take little more memory than their size", async () => {
    const pieces = 15_000;
    const count = 60;
    const piece = `10\r\n${" ".repeat(16)}\r\n`;
    const chunked = head("/v1/wires", alice.key, "Transfer-Encoding: chunked") + piece.repeat(pieces);
    // The first ones make V8 reserve its memory.
    for (const connection of await openMany(20, chunked)) connection.close();
    const [before, readBefore] = [rssBytes(), readBytes()];
    const connections = await openMany(count, chunked);
    await expect
      .poll(() => readBytes() - readBefore, { timeout: 30_000 })
      .toBeGreaterThan(count * chunked.length);
    await answersAnother(daemon);
    expect(answered(connections)).toEqual([]);
    // An object for each piece would take 300 MiB.
    expect((rssBytes() - before) / MIB).toBeLessThan(100);
    for (const connection of connections) connection.close();
  });

  // [D2-request-memory]
  it("of one byte are read like others", async () => {
    const text = JSON.stringify({ to: "bob", text: `é${"y".repeat(950)}` });
    const chunks = [...Buffer.from(text)].map((byte) =>
      Buffer.concat([Buffer.from("1\r\n"), Buffer.from([byte]), Buffer.from("\r\n")]),
    );
    const connection = await RawConnection.open(daemon.origin);
    connection.send(head("/v1/wires", alice.key, "Transfer-Encoding: chunked"));
    for (let n = 0; n < chunks.length; n += 500) {
      connection.send(Buffer.concat(chunks.slice(n, n + 500)));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    const response = await connection.send("0\r\n\r\n").readResponse();
    expect(response?.status).toBe(201);
    const { id } = JSON.parse(response!.text);
    const wire = await bob.get(`/wires/${id}`);
    expect(wire.body.text ?? wire.body.text_body).toBe(`é${"y".repeat(950)}`);
    connection.close();
  });
});

describe("requests behind a held one", () => {
  const poll = `GET /v1/inbox?wait=50 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bob.key}\r\n\r\n`;

  // [D2-pipelined]
  it("close the connection if their heads are larger than those of a hundred usual ones", async () => {
    const { body } = await bob.get("/inbox");
    const held = poll.replace("wait", `cursor=${body.next_cursor}&wait`);
    const large = `GET /x HTTP/1.1\r\nHost: x\r\n${"name: value\r\n".repeat(1_900)}\r\n`;
    const connections = await openMany(20, held + large.repeat(90));
    for (const connection of connections) expect(await connection.readResponse()).toBeUndefined();
  });

  // [D2-pipelined]
  it("may be a hundred with twenty headers each, and all get their responses", async () => {
    const usual = `GET /healthz HTTP/1.1\r\nHost: x\r\n${"name: value\r\n".repeat(20)}\r\n`;
    const connection = (await RawConnection.open(daemon.origin)).send(usual.repeat(100));
    for (let n = 0; n < 100; n++) expect((await connection.readResponse())?.status).toBe(200);
    connection.close();
  });
});
