/**
 * Attacks with many requests on one connection, sent before any response (pipelining: RFC 9112, section
 * 9.3.2).
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { SERVER_OPTIONS, serve } from "../../daemon/http/connections.js";
import { createSourceOf } from "../../daemon/http/source.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { RawConnection } from "../harness/raw-http.js";

const silent = pino({ level: "silent" });
const { daemon, alice, idle } = await hostedFixture(["alice", "idle"]);

function request(path: string, key = alice.key): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

/** A long poll that gets no items. */
const longPoll = (wait = 60) => request(`/v1/inbox?wait=${wait}`, idle.key);

/**
 * Starts a server that responds to nothing by itself.
 * @param giveOneUp ends one of the responses; returns false if it did not
 */
async function startServer(
  maxConnections: number,
  giveOneUp: (responses: ServerResponse[]) => boolean = () => false,
) {
  const server = createServer(SERVER_OPTIONS);
  const responses: ServerResponse[] = [];
  const application = (_: unknown, response: ServerResponse) => void responses.push(response);
  const sourceOf = createSourceOf([]);
  serve(server, application, [], silent, sourceOf, maxConnections, () => giveOneUp(responses));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { server, responses, open: () => RawConnection.open(`http://127.0.0.1:${port}`) };
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${daemon.origin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

const longPolls = () => metric("wireroom_long_polls");

describe("pipelined long polls", () => {
  // [D2-pipelined]
  it("run one at a time, and end with their connection", async () => {
    const connections = await Promise.all(
      Array.from({ length: 10 }, () => RawConnection.open(daemon.origin)),
    );
    for (const connection of connections) connection.send(longPoll().repeat(90));
    await expect.poll(longPolls).toBe(10);
    for (const connection of connections) connection.close();
    await expect.poll(longPolls).toBe(0);
  });
});

describe("pipelined requests", () => {
  // [D2-pipelined]
  it("get their responses in order", async () => {
    const connection = await RawConnection.open(daemon.origin);
    const body = JSON.stringify({ to: "alice", text: "between" });
    const post = `POST /v1/wires HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    connection.send(request("/v1/profile") + post + request("/v1/nothing") + post + request("/healthz"));
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await connection.readResponse())?.status);
    expect(statuses).toEqual([200, 201, 404, 201, 200]);
    connection.close();
  });

  it("keep all of their headers while they wait", async () => {
    const connection = await RawConnection.open(daemon.origin);
    const others = Array.from({ length: 500 }, (_, index) => `x-${index}: b\r\n`).join("");
    connection.send(
      request("/healthz") + request("/v1/profile").replace("Authorization", `${others}Authorization`),
    );
    const statuses = [];
    for (let i = 0; i < 2; i++) statuses.push((await connection.readResponse())?.status);
    expect(statuses).toEqual([200, 200]);
    connection.close();
  });

  // [D2-pipelined]
  it("close the connection if more than 100 of them wait", async () => {
    const connection = await RawConnection.open(daemon.origin);
    connection.send(longPoll().repeat(102));
    expect(await connection.readResponse()).toBeUndefined();
    await expect.poll(longPolls).toBe(0);
  });
});

describe("a malformed request behind a valid one", () => {
  // [D2-head]
  it("gets its 400 after the response to the valid request", async () => {
    const connection = await RawConnection.open(daemon.origin);
    connection.send(`${longPoll(1)}garbage\r\n\r\n`);
    const first = await connection.readResponse();
    expect(first).toMatchObject({ status: 200 });
    expect(JSON.parse(first!.text)).toMatchObject({ wires: [] });
    const second = await connection.readResponse();
    expect(second).toMatchObject({ status: 400, headers: { connection: "close" } });
    expect(await connection.readResponse()).toBeUndefined();
  });

  // [D2-head]
  it("never gets its 400 in the middle of another response", async () => {
    const post = () => alice.post("/wires", { to: "alice", payload: "x".repeat(250_000) });
    for (let i = 0; i < 48; i += 4) await Promise.all([post(), post(), post(), post()]);
    const token = await daemon.issuer.token({ claims: { sub: "alice", email: "alice@example.com" } });
    const connection = await RawConnection.open(daemon.origin);
    connection.send(request("/v1/export", token));
    // The socket's buffers take less than the export, so the response is under way when the malformed request
    // arrives.
    connection.socket.pause();
    await expect.poll(() => connection.socket.bytesRead).toBeGreaterThan(0);
    connection.send("garbage\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 300));
    connection.socket.resume();
    const [exported, refusal, ...rest] = await connection.readToEnd();
    expect(exported).toMatchObject({ status: 200 });
    expect(
      exported!.text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
        .at(-1),
    ).toMatchObject({ type: "end" });
    expect(refusal).toMatchObject({ status: 400, headers: { connection: "close" } });
    expect(rest).toEqual([]);
  });

  it("gets no response if its own request was already answered", async () => {
    const connection = await RawConnection.open(daemon.origin);
    connection.send("POST /v1/wires HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
    expect((await connection.readResponse())?.status).toBe(401);
    connection.send("no chunk\r\n");
    expect(await connection.readResponse()).toBeUndefined();
  });
});

describe("idle connections", () => {
  // [D2-slow-clients]
  it("give way to new ones if there are too many, and those with a request do not", async () => {
    const { server, open, responses } = await startServer(3);
    const busy = (await open()).send(request("/"));
    const [oldest, headers] = [await open(), (await open()).send("GET / HTTP/1.1\r\n")];
    await expect.poll(() => responses.length).toBe(1);
    const first = (await open()).send(request("/"));
    expect(await oldest.readResponse()).toBeUndefined();
    const second = (await open()).send(request("/"));
    expect(await headers.readResponse()).toBeUndefined();
    await expect.poll(() => responses.length).toBe(3);
    // Now every connection has a request.
    expect(await (await open()).readResponse()).toBeUndefined();
    responses[0]!.end("late");
    expect((await busy.readResponse())?.status).toBe(200);
    for (const connection of [busy, first, second]) connection.close();
    server.close();
  });

  // [D2-held-gives-way]
  it("give way after their held request got its response, if all have one", async () => {
    const { server, open, responses } = await startServer(
      2,
      (held) => held.shift()?.end("early") !== undefined,
    );
    const held = [(await open()).send(request("/")), (await open()).send(request("/"))];
    await expect.poll(() => responses.length).toBe(2);
    const third = (await open()).send(request("/"));
    expect((await held[0]!.readResponse())?.status).toBe(200);
    expect(await held[0]!.readResponse()).toBeUndefined();
    await expect.poll(() => responses.length).toBe(2);
    responses[1]!.end("on time");
    expect((await third.readResponse())?.status).toBe(200);
    for (const connection of [held[1]!, third]) connection.close();
    server.close();
  });

  // [D2-slow-clients]
  it("and those with an incomplete request give way, the one that has waited for the longest time first", async () => {
    const { server, open, responses } = await startServer(3);
    const whole = (await open()).send(request("/"));
    const slow: RawConnection[] = [];
    for (let n = 0; n < 2; n++) {
      slow.push((await open()).send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe"));
      await expect.poll(() => responses.length).toBe(n + 2);
    }
    const next = (await open()).send(request("/"));
    expect(await slow[0]!.readResponse()).toBeUndefined();
    await expect.poll(() => responses.length).toBe(4);
    slow[1]!.send("llo");
    for (const response of responses) response.end("here");
    for (const connection of [whole, slow[1]!, next])
      expect((await connection.readResponse())?.status).toBe(200);
    for (const connection of [whole, slow[1]!, next]) connection.close();
    server.close();
  });
});
