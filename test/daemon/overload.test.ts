/** Requests that arrive while others wait for too long (docs/specification/limits.md#overload). */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { Admission, type Load, TARGET_MS } from "../../daemon/http/admission.js";
import { errorHeaders } from "../../daemon/http/cross-origin.js";
import { Connection } from "../../src/store/engine/sqlite/connection.js";
import type { JsonResponse } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { expectError } from "../harness/envelope.js";
import { hold, textsOf } from "../harness/held-requests.js";
import { jsonRpcToolCaller } from "../harness/mcp.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);

/** Holds the write lock of the database, so that the daemon's writes wait. Returns a function that releases it. */
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

it("refuses writes early while the database cannot keep up, and nothing else [D2-overload] [D2-overload-alive]", async () => {
  const { body: inbox } = await bob.get("/inbox");
  const held = await hold(daemon, () => bob.get(`/inbox?cursor=${inbox.next_cursor}&wait=50`));
  const release = await blockWrites();
  // While the database is blocked, the only possible response is a refusal.
  const replies = Array.from({ length: 100 }, (_, n) => post(`wire ${n}`));
  let refused: JsonResponse | undefined;
  while (!refused) {
    replies.push(post(`wire ${replies.length}`));
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
    ({ headers: { authorization }, socket: { remoteAddress } }) as never;

  /**
   * Returns an admission whose writer and event loop have been late for a time that the test sets, with 150 requests in progress, 50
   * of which are held. The credentials `flood`, `other` and `third` are valid.
   */
  function admission() {
    const queue = { standingMs: 0 };
    const eventLoop = { standingMs: 0 };
    const load: Load = {
      standingMs: {
        event_loop: () => eventLoop.standingMs,
        writer: () => queue.standingMs,
        readers: () => 0,
      },
      held: () => 50,
      handleOf: (credential) => ({ flood: 1, other: 2, third: 3 })[credential ?? ""],
    };
    const rule = new Admission(load, [], errorHeaders([APP]), pino({ level: "silent" }));
    rule.inProgress = 150;
    const isRefused = (client: string, method = "POST") => rule.refusal(from(client), method) !== undefined;
    return { queue, eventLoop, rule, isRefused };
  }

  it("accepts a burst that the daemon serves within the time after which a refused client tries again [D2-overload]", () => {
    const { queue, isRefused } = admission();
    queue.standingMs = INTERVAL_MS - 1;
    for (let n = 0; n < 1_000; n++) expect(isRefused("a")).toBe(false);
  });

  it("keeps the queue short during an overload, and gives each client a turn in it [D2-overload-fair]", () => {
    const { queue, rule, isRefused } = admission();
    queue.standingMs = INTERVAL_MS + 1;
    expect(isRefused("flood")).toBe(true);
    queue.standingMs = TARGET_MS + 1;
    expect(["flood", "flood", "flood", "other", "third", "other"].map((client) => isRefused(client))).toEqual(
      [false, true, true, false, false, true],
    );
    queue.standingMs = TARGET_MS;
    expect(isRefused("flood")).toBe(false);
    expect(rule.refused).toEqual({ event_loop: 0, writer: 4, readers: 0 });
  });

  it("gives a client no turn for a credential that it made up [D2-overload-fair]", () => {
    const { queue, rule, isRefused } = admission();
    queue.standingMs = INTERVAL_MS + 1;
    expect(isRefused("guess")).toBe(true);
    queue.standingMs = TARGET_MS + 1;
    expect(["guess 1", "guess 2", "other", "third"].map((client) => isRefused(client))).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect(rule.refusal(from("guess 3", "192.0.2.2"), "POST")).toBeUndefined();
  });

  it("refuses nothing while fewer than 100 requests are in progress, without those that are held [D2-overload]", () => {
    const { queue, rule, isRefused } = admission();
    queue.standingMs = 60 * INTERVAL_MS;
    rule.inProgress = 149;
    expect(isRefused("flood")).toBe(false);
    rule.inProgress = 150;
    expect(isRefused("flood")).toBe(true);
  });

  it("refuses only requests that would wait for the same resource [D2-overload-alive]", () => {
    const { queue, isRefused } = admission();
    queue.standingMs = INTERVAL_MS + 1;
    expect(isRefused("a", "GET")).toBe(false);
    expect(isRefused("a", "DELETE")).toBe(true);
  });

  it("takes the turn of a tool call only once [D2-overload-fair]", () => {
    const { eventLoop, rule } = admission();
    eventLoop.standingMs = INTERVAL_MS + 1;
    expect(rule.refusal(from("a"), undefined)).toBeDefined();
    eventLoop.standingMs = TARGET_MS + 1;
    expect(rule.refusal(from("a"), undefined)).toBeUndefined();
    expect(rule.refusalOfStore(from("a"), "POST")).toBeUndefined();
  });

  it("sends at most 25 refusals in 10 ms, so that clients that do not wait cannot occupy the daemon [D2-overload-pace]", async () => {
    const { queue, rule } = admission();
    queue.standingMs = INTERVAL_MS + 1;
    const server = createServer(rule.guard((_request, response) => void response.end()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/wires`;
    const sentAtMs = performance.now();
    const responses = await Promise.all(Array.from({ length: 300 }, () => fetch(url, { method: "POST" })));
    const tookMs = performance.now() - sentAtMs;
    for (const response of responses) expect(response.status).toBe(503);
    expect(rule.refused.writer).toBe(300);
    // 12 ticks; a timer may be early by a millisecond.
    expect(tookMs).toBeGreaterThan(100);
    await new Promise((resolve) => server.close(resolve));
  });

  it("lets web pages read a refusal, whatever the query of their request is [D12-cors-errors]", async () => {
    const { eventLoop, rule } = admission();
    eventLoop.standingMs = INTERVAL_MS + 1;
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
