/**
 * How a call is prepared: its credential, headers and address, and which failures of a connection end it at
 * once.
 */

import { readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ConnectionError, Wireroom, WireroomDashboard } from "../../sdk/src/index.js";
import { wireroomHandlers } from "../../sdk/src/msw/index.js";
import { type Certificates, hasOpenssl, makeCertificates } from "../harness/certificates.js";
import { mockService } from "../harness/mock-service.js";

/** Resolves once the server listens. Returns its port. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

describe("an abort while `idToken()` is pending", () => {
  const service = mockService();

  it.each([
    ["for the first attempt", 0],
    ["after a rejected token", 1],
  ])(
    "%s rejects the call with the signal's reason, and sends no further request",
    async (_, answeredCalls) => {
      service.use(wireroomHandlers.account.get(({ error }) => error("FORBIDDEN")));
      const reason = new Error("enough");
      const stop = new AbortController();
      let calls = 0;
      const human = service.dashboard({
        idToken: () => {
          if (calls++ < answeredCalls) return "stale";
          setTimeout(() => stop.abort(reason), 20);
          return new Promise(() => {});
        },
      });
      await expect(human.account.get({ signal: stop.signal })).rejects.toBe(reason);
      expect(service.requests).toHaveLength(answeredCalls);
    },
  );

  it.each([
    ["returns a token nevertheless", () => "fresh"],
    ["does not return", () => new Promise<string>(() => {})],
  ])("is noticed if the function itself aborts and %s", async (_, token) => {
    service.use(wireroomHandlers.account.get());
    const reason = new Error("enough");
    const stop = new AbortController();
    const human = service.dashboard({
      idToken: () => {
        stop.abort(reason);
        return token();
      },
    });
    await expect(human.account.get({ signal: stop.signal })).rejects.toBe(reason);
    expect(service.requests).toHaveLength(0);
  });
});

describe("a value that JSON cannot contain", () => {
  const service = mockService();

  it.each([
    ["NaN", Number.NaN, "NaN"],
    ["Infinity", Number.POSITIVE_INFINITY, "Infinity"],
    ["a BigInt", 5n, "a BigInt"],
  ])("%s, is rejected with its path before the request", async (_, value, name) => {
    const { wires } = service.agent();
    const sending = wires.send({ to: "@bob", payload: { a: [0, { b: value }] } });
    await expect(sending).rejects.toThrow(
      new TypeError(`wires.send: /payload/a/1/b is ${name}, which JSON cannot contain`),
    );
    await expect(wires.send({ to: "@bob", payload: value })).rejects.toThrow("wires.send: /payload is");
    expect(service.requests).toHaveLength(0);
  });

  it("is rejected alone: all other values are sent as `JSON.stringify` writes them", async () => {
    service.use(wireroomHandlers.wires.send());
    const { wires } = service.agent();
    const twice = { list: [undefined, null, -0] };
    const payload = { at: new Date(0), none: undefined, twice, again: twice, own: { toJSON: () => twice } };
    await wires.send({ to: "@bob", payload });
    expect(await service.requests[0]!.json()).toEqual(JSON.parse(JSON.stringify({ to: "@bob", payload })));
    const found = { toJSON: () => ({ price: Number.NaN }) };
    await expect(wires.send({ to: "@bob", payload: { found } })).rejects.toThrow(
      "/payload/found/price is NaN",
    );
    const cyclic: { self?: object } = {};
    cyclic.self = cyclic;
    await expect(wires.send({ to: "@bob", payload: cyclic })).rejects.toThrow("circular");
  });
});

describe("the names of headers", () => {
  let server: Server;
  let baseUrl: string;
  let received: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      received = request.rawHeaders;
      response.setHeader("content-type", "application/json").end("{}");
    });
    baseUrl = `http://127.0.0.1:${await listen(server)}/v1`;
  });

  afterAll(() => server.close());

  it("are compared without regard to case; the SDK's own headers win", async () => {
    const wr = new Wireroom({
      apiKey: "wr_x",
      baseUrl,
      headers: {
        "X-Team": "client",
        "USER-AGENT": "mine",
        Authorization: "Bearer stolen",
        Accept: "text/html",
      },
    });
    await wr.wires.send(
      { to: "@bob", text: "hi" },
      {
        idempotencyKey: "mine",
        headers: { "x-tEAM": "call", "Idempotency-Key": "x", "Content-Type": "text/plain" },
      },
    );
    await wr.close();
    const headers = new Map<string, string[]>();
    for (let at = 0; at < received.length; at += 2) {
      const name = received[at]!.toLowerCase();
      headers.set(name, [...(headers.get(name) ?? []), received[at + 1]!]);
    }
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-team": ["call"],
      "user-agent": ["mine"],
      authorization: ["Bearer wr_x"],
      accept: ["application/json"],
      "content-type": ["application/json"],
      "idempotency-key": ["mine"],
    });
  });
});

describe("a base URL without a path", () => {
  const service = mockService();
  afterEach(() => vi.unstubAllEnvs());

  it("means /v1, from WIREROOM_URL and from the option", async () => {
    service.use(wireroomHandlers.profile.get());
    vi.stubEnv("WIREROOM_URL", "http://wireroom.test/");
    const fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);
    expect((await new Wireroom({ apiKey: "wr_x", fetch }).profile.get()).slug).toBe("alice");
    const baseUrl = "http://wireroom.test";
    expect((await new Wireroom({ apiKey: "wr_x", fetch, baseUrl }).profile.get()).slug).toBe("alice");
  });
});

describe.skipIf(!(await hasOpenssl()))("a TLS certificate that the client does not trust", () => {
  let certificates: Certificates;
  let server: Server;
  let connections = 0;
  let port: number;

  beforeAll(async () => {
    certificates = await makeCertificates("wireroom.test");
    const [key, cert] = await Promise.all([readFile(certificates.key), readFile(certificates.certificate)]);
    server = createTlsServer({ key, cert }, (_, response) => response.end("{}"));
    server.on("connection", () => connections++);
    port = await listen(server);
  });

  afterAll(async () => {
    server.close();
    await rm(certificates.folder, { recursive: true });
  });

  it.each([
    ["with the client's own connections", undefined],
    ["with the global fetch", globalThis.fetch],
  ])("ends a call and a listener at once, and the error says that nothing was sent, %s", async (_, fetch) => {
    const wr = new Wireroom({ apiKey: "wr_x", baseUrl: `https://127.0.0.1:${port}/v1`, fetch });
    const calls: [string, () => Promise<unknown>][] = [
      ["a call", () => wr.profile.get({ maxRetries: 2 })],
      ["a listener", () => wr.inbox.listen().next()],
    ];
    for (const [name, call] of calls) {
      connections = 0;
      const error = await call().catch((caught: unknown) => caught);
      expect(error, name).toBeInstanceOf(ConnectionError);
      expect(error, name).toMatchObject({ mayHaveArrived: false, code: "CONNECTION_FAILED" });
      expect((error as Error).message, name).toContain("certificate");
      expect(connections, name).toBe(1);
    }
    await wr.close();
  });

  it("is also reported at once if the server does not speak TLS", async () => {
    const plain = createServer((_, response) => response.end("{}"));
    const baseUrl = `https://127.0.0.1:${await listen(plain)}/v1`;
    let attempts = 0;
    const human = new WireroomDashboard({ idToken: "x", baseUrl });
    const error = await human.account.get({ onRetry: () => attempts++ }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ mayHaveArrived: false, code: "CONNECTION_FAILED" });
    expect(attempts).toBe(0);
    plain.close();
  });
});
