/** Requests that arrive while others wait for too long (docs/specification/limits.md#overload). */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { Admission, type Load, TARGET_MS } from "../../daemon/http/admission.js";
import { errorHeaders } from "../../daemon/http/cross-origin.js";
import { createSourceOf } from "../../daemon/http/source.js";
import { Connection } from "../../src/store/engine/sqlite/connection.js";
import type { JsonResponse } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { expectError } from "../harness/envelope.js";
import { hold, textsOf } from "../harness/held-requests.js";
import { jsonRpcToolCaller } from "../harness/mcp.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);

/**
 * Holds the write lock of the database, so that the daemon's writes wait. Returns a function that releases
 * it.
 */
async function blockWrites(): Promise<() => Promise<void>> {
  const connection = await Connection.open(join(daemon.dataDir, "wireroom.db"));
  await connection.exec("BEGIN IMMEDIATE");
  return async () => {
    await connection.exec("ROLLBACK");
    await connection.close();
  };
}

const post = (text: string) => alice.post("/wires", { to: "@bob", text });

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${daemon.origin}/metrics`)).text();
  return Number(
    text
      .split("\n")
      .find((line) => line.startsWith(name))
      ?.split(" ")[1],
  );
}

// [D2-overload] [D2-overload-alive]
it("refuses writes early while the database cannot keep up, and nothing else", async () => {
  const { body: inbox } = await bob.get("/inbox");
  const held = await hold(daemon, () => bob.get(`/inbox?cursor=${inbox.next_cursor}&wait=50`));
  const release = await blockWrites();
  // While the database is blocked, the only possible response is a refusal.
  const replies = Array.from({ length: 100 }, (_, n) => post(`wire ${n}`));
  let refused: JsonResponse | undefined;
  while (!refused) {
    for (let n = 0; n < 10; n++) replies.push(post(`wire ${replies.length}`));
    refused = await Promise.race([...replies, sleep(50).then(() => undefined)]);
  }
  expectError(refused, "UNAVAILABLE");
  expect(refused.body).toMatchObject({ message: expect.stringContaining("more requests"), retry_after: 1 });
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(refused.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(refused.headers.get("cache-control")).toBe("no-store");

  const tool = await jsonRpcToolCaller(daemon, alice).call("send_wire", { to: "@bob", text: "by MCP" });
  expect(tool).toMatchObject({ isError: true, body: refused.body });
  expect((await alice.get("/inbox")).status).toBe(200);
  expect((await fetch(`${daemon.origin}/healthz`)).status).toBe(200);
  // The metrics of the last 100 ms are kept.
  await expect
    .poll(() => metric('wireroom_refused_requests_total{reason="writer"}'))
    .toBeGreaterThanOrEqual(2);
  await expect.poll(() => metric("wireroom_event_loop_delay_seconds_count")).toBeGreaterThan(0);

  await release();
  // The first of them arrived before the queue was too long.
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  expect(statuses.slice(0, 2)).toEqual([201, 201]);
  expect(textsOf((await held()).body)).toContain("wire 0");
  expect((await post("afterwards")).status).toBe(201);
});

describe("the rule", () => {
  const INTERVAL_MS = 10 * TARGET_MS;
  const APP = "https://app.example.com";
  const from = (authorization: string, remoteAddress = "192.0.2.1") =>
    ({ headers: { authorization }, socket: { remoteAddress } }) as IncomingMessage;

  /**
   * Returns an admission whose writer and event loop have been late for a time that the test sets, with 150
   * requests in progress, 50 of which are held. The credentials of the accounts `flood`, `other` and `third`
   * are valid, each in any number.
   */
  function admission() {
    const queue = { backlogMs: 0 };
    const eventLoop = { backlogMs: 0 };
    const load: Load = {
      backlogMs: {
        event_loop: () => eventLoop.backlogMs,
        writer: () => queue.backlogMs,
        readers: () => 0,
      },
      held: () => 50,
      accountOf: (credential = "") => ({ flood: 1, other: 2, third: 3 })[credential.split("-")[0]!],
      sourceOf: createSourceOf([]),
    };
    const rule = new Admission(load, [], errorHeaders([APP]), pino({ level: "silent" }));
    rule.inProgress = 150;
    const isRefused = (client: string, method = "POST") => rule.refusal(from(client), method) !== undefined;
    /** Sends requests at the same time. Returns those that are accepted. */
    const accepted = (count: number, client: (n: number) => string, address?: string) =>
      Array.from({ length: count }, (_, n) => from(client(n), address)).filter(
        (request) => rule.refusal(request, "POST") === undefined,
      );
    return { queue, eventLoop, rule, isRefused, accepted };
  }

  // [D2-overload]
  it("accepts a burst that the daemon serves within the time after which a refused client tries again", () => {
    const { queue, isRefused } = admission();
    queue.backlogMs = INTERVAL_MS - 1;
    for (let n = 0; n < 1_000; n++) expect(isRefused("a")).toBe(false);
  });

  // [D2-overload-fair]
  it("refuses the account with the most requests first, whichever of its handles sends them", () => {
    const { queue, rule, accepted } = admission();
    queue.backlogMs = INTERVAL_MS + 1;
    expect(accepted(300, (n) => `flood-${n}`)).toHaveLength(50);
    // A client with one request at a time is never refused, however long it goes on.
    for (let n = 0; n < 1_000; n++) {
      const light = accepted(1, () => "other");
      expect(light).toHaveLength(1);
      expect(accepted(1, () => "flood-0")).toEqual([]);
      rule.leave(light[0]!);
    }
    expect(rule.refused).toEqual({ event_loop: 0, writer: 1_250, readers: 0 });
    queue.backlogMs = TARGET_MS;
    expect(accepted(300, (n) => `flood-${n}`)).toHaveLength(300);
  });

  // [D2-overload-fair]
  it("divides the places equally, and forgets a request that has ended or is held", () => {
    const { queue, rule, accepted } = admission();
    queue.backlogMs = INTERVAL_MS + 1;
    const flood = accepted(300, (n) => `flood-${n}`);
    const other = accepted(300, (n) => `other-${n}`);
    expect([flood.length, other.length]).toEqual([50, 25]);
    for (const request of flood.splice(0, 30)) rule.leave(request);
    expect(accepted(300, (n) => `flood-${n}`)).toHaveLength(5);
    for (const request of other) rule.leave(request);
    // A request leaves once.
    for (const request of other) rule.leave(request);
    expect(accepted(300, (n) => `flood-${n}`)).toHaveLength(25);
  });

  // [D2-overload-fair]
  it("gives a client no place for a credential that it made up, nor for an address of its network", () => {
    const { queue, accepted } = admission();
    queue.backlogMs = INTERVAL_MS + 1;
    const one = (n: number) => `guess ${n}`;
    expect(accepted(300, one, "2001:db8::1")).toHaveLength(50);
    expect(accepted(300, one, "2001:db8::2")).toEqual([]);
    expect(accepted(300, one, "192.0.2.2")).toHaveLength(25);
    // Accounts have places of their own.
    expect(accepted(300, (n) => `other-${n}`)).toHaveLength(50);
  });

  // [D2-overload-fair]
  it("gives no place to unknown credentials from more sources than places, but one to each account", () => {
    const { queue, rule, isRefused } = admission();
    queue.backlogMs = INTERVAL_MS + 1;
    const sources = Array.from({ length: 300 }, (_, n) => from("guess", `192.0.${n % 256}.1`));
    expect(sources.filter((request) => rule.refusal(request, "POST") === undefined)).toHaveLength(50);
    expect(isRefused("other")).toBe(false);
  });

  // [D2-overload]
  it("refuses nothing while fewer than 100 requests are in progress, without those that are held", () => {
    const { queue, rule, isRefused, accepted } = admission();
    queue.backlogMs = 60 * INTERVAL_MS;
    accepted(50, () => "flood");
    rule.inProgress = 149;
    expect(isRefused("flood")).toBe(false);
    rule.inProgress = 150;
    expect(isRefused("flood")).toBe(true);
  });

  // [D2-overload-alive]
  it("refuses only requests that would wait for the same resource", () => {
    const { queue, isRefused, accepted } = admission();
    queue.backlogMs = INTERVAL_MS + 1;
    accepted(50, () => "flood");
    expect(isRefused("flood", "GET")).toBe(false);
    expect(isRefused("flood", "DELETE")).toBe(true);
  });

  // [D2-overload-fair]
  it("takes a place for a tool call only once", () => {
    const { eventLoop, queue, rule, accepted } = admission();
    eventLoop.backlogMs = INTERVAL_MS + 1;
    queue.backlogMs = INTERVAL_MS + 1;
    accepted(49, () => "flood");
    const call = from("flood");
    expect(rule.refusal(call, undefined)).toBeUndefined();
    expect(rule.refusal(from("flood"), undefined)).toBeDefined();
    expect(rule.refusalOfStore(call, "POST")).toBeUndefined();
  });

  // [D2-overload-pace]
  it("sends at most 25 refusals in 10 ms, so that clients that do not wait cannot occupy the daemon", async () => {
    const { queue, rule } = admission();
    queue.backlogMs = INTERVAL_MS + 1;
    const server = createServer(rule.guard((_request, response) => void response.end()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/wires`;
    const sentAtMs = performance.now();
    const responses = await Promise.all(Array.from({ length: 350 }, () => fetch(url, { method: "POST" })));
    const tookMs = performance.now() - sentAtMs;
    expect(responses.filter(({ status }) => status === 503)).toHaveLength(300);
    expect(rule.refused.writer).toBe(300);
    // 12 ticks; a timer may be early by a millisecond.
    expect(tookMs).toBeGreaterThan(100);
    await new Promise((resolve) => server.close(resolve));
  });

  // [D12-cors-errors]
  it("lets web pages read a refusal, whatever the query of their request is", async () => {
    const { eventLoop, rule, accepted } = admission();
    eventLoop.backlogMs = INTERVAL_MS + 1;
    accepted(50, () => "guess", "127.0.0.1");
    const server = createServer(rule.guard((_request, response) => void response.end()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const [path, allowed] of [
      ["/v1/wires", APP],
      ["/mcp", APP],
      ["/mcp?x=1", APP],
      ["/mcp?", APP],
      ["/identity?/v1/", null],
    ] as const) {
      const { status, headers } = await fetch(`${origin}${path}`, {
        method: "POST",
        headers: { origin: APP },
      });
      expect([path, status, headers.get("access-control-allow-origin")]).toEqual([path, 503, allowed]);
    }
    await new Promise((resolve) => server.close(resolve));
  });
});
