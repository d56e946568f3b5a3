/**
 * Faults between the SDK and the daemon: no wire is lost or sent twice. A proxy before the daemon cuts
 * connections, which msw cannot do; msw returns the error responses.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { passthrough } from "msw";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  ConnectionError,
  type Fetch,
  InternalError,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
  Wireroom,
  WireroomDashboard,
} from "../../sdk/src/index.js";
import { wireroomHandlers } from "../../sdk/src/msw/index.js";
import { NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { type Fault, type FaultProxy, startFaultProxy } from "../harness/fault-proxy.js";
import { freePort } from "../harness/free-port.js";
import { mockService } from "../harness/mock-service.js";
import { createSdkAgent, type SdkAgent } from "../harness/sdk.js";

let daemon: TestDaemon;
let proxy: FaultProxy;
let alice: Wireroom;
let bob: SdkAgent;

beforeAll(async () => {
  daemon = await startDaemon({ isHosted: true, args: NO_LIMITS });
  proxy = await startFaultProxy(() => daemon.origin);
  const { key } = await createSdkAgent(daemon, "alice");
  alice = new Wireroom({ apiKey: key, baseUrl: proxy.base, timeout: 3_000 });
  bob = await createSdkAgent(daemon, "bob");
});

afterEach(() => {
  proxy.requests.length = 0;
  proxy.setDefaultFault(() => "pass");
});

afterAll(async () => {
  await proxy.close();
  await daemon.stop();
});

let cursor: string | undefined;

/** Returns the texts that bob received since the last call. */
async function newTexts(): Promise<(string | null)[]> {
  const page = await bob.wr.inbox.read({ cursor, limit: 100 });
  cursor = page.next_cursor;
  return page.wires.map((wire) => wire.text_body);
}

describe("a wire is delivered once, and the caller gets its id, if", () => {
  const cases: [string, Fault[]][] = [
    ["the connection is cut before the request arrived", ["cut-before"]],
    ["the connection is cut after the request arrived", ["cut-after"]],
    ["the connection is cut within the response", ["cut-within"]],
    ["the request is lost", ["half-open"]],
    ["the response is lost", ["half-open-after"]],
    ["the response is slow", ["slow"]],
    ["several faults follow each other", ["cut-after", "503", "cut-before"]],
  ];

  it.each(cases)("%s", async (name, faults) => {
    proxy.queueFaults(...faults);
    // An attempt without a response ends at the timeout.
    const timeout = faults[0]!.startsWith("half-open") ? 1_000 : 3_000;
    const sent = await alice.wires.send({ to: "@bob", text: name }, { timeout });
    expect(await newTexts()).toEqual([name]);
    expect((await bob.wr.wires.get({ id: sent.id })).text_body).toBe(name);
    const expected = faults[0] === "slow" ? 1 : faults.length + 1;
    expect(proxy.requests).toHaveLength(expected);
    expect(new Set(proxy.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it("many are sent concurrently over a network that fails half of the time", async () => {
    const kinds: Fault[] = ["cut-before", "cut-after", "cut-within", "503"];
    let n = 0;
    proxy.setDefaultFault(() => (n++ % 2 === 0 ? kinds[((n / 2) % kinds.length) | 0]! : "pass"));
    const texts = Array.from({ length: 20 }, (_, i) => `many ${i}`);
    const sent = await Promise.all(
      texts.map((text) => alice.wires.send({ to: "@bob", text }, { maxRetries: 20 })),
    );
    expect(new Set(sent.map(({ id }) => id)).size).toBe(texts.length);
    expect((await newTexts()).sort()).toEqual([...texts].sort());
  });
});

describe("a call rejects if", () => {
  it("all retries fail", async () => {
    proxy.setDefaultFault(() => "cut-before");
    const send = alice.wires.send({ to: "@bob", text: "lost" }, { maxRetries: 2 });
    await expect(send).rejects.toThrow(ConnectionError);
    expect(proxy.requests).toHaveLength(3);
    proxy.setDefaultFault(() => "503");
    await expect(alice.inbox.read({}, { maxRetries: 1 })).rejects.toThrow(UnavailableError);
    expect(await newTexts()).toEqual([]);
  });

  it("no attempt gets a response in time", async () => {
    proxy.setDefaultFault(() => "half-open");
    const read = alice.profile.get({ timeout: 500, maxRetries: 1 });
    await expect(read).rejects.toThrow("profile.get: no response within 500 ms");
    await expect(alice.profile.get({ timeout: 500, maxRetries: 0 })).rejects.toThrow(TimeoutError);
    expect(proxy.requests).toHaveLength(3);
  });

  it("no server listens at the address", async () => {
    const gone = new Wireroom({ apiKey: "wr_x", baseUrl: "http://127.0.0.1:9/v1", maxRetries: 0 });
    const error = await gone.profile.get().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "CONNECTION_FAILED", mayHaveArrived: false });
    expect((error as Error).message).toContain("http://127.0.0.1:9/v1 (ECONNREFUSED)");
  });
});

describe("a request that gets", () => {
  const service = mockService();
  const { profile, limits, keys } = wireroomHandlers;
  type Refuse = (code: "UNAVAILABLE" | "INTERNAL" | "RATE_LIMITED", fields?: object) => Response;
  type Reply = (refuse: Refuse) => Response;

  /** The mock service returns these responses in order, then the example of the contract. */
  const respondInOrder = (...answers: Reply[]) =>
    service.use(profile.get(({ count, error }) => answers[count - 1]?.(error as Refuse)));

  it.each<[string, Reply[]]>([
    ["502 without an envelope", [() => new Response("<h1>Bad Gateway</h1>", { status: 502 })]],
    ["503 in its envelope", [(refuse) => refuse("UNAVAILABLE")]],
    ["429 of a proxy", [() => new Response("slow down", { status: 429 })]],
    ["504 with nothing", [() => new Response(null, { status: 504 })]],
    ["a network error", [() => Response.error()]],
    ["one of each", [() => Response.error(), (refuse) => refuse("UNAVAILABLE"), () => Response.error()]],
  ])("%s is retried, and returns the respondInOrder success", async (_, answers) => {
    respondInOrder(...answers);
    expect((await service.agent().profile.get()).slug).toBe("alice");
    expect(service.requests).toHaveLength(answers.length + 1);
  });

  it.each<[string, Reply]>([
    ["in the body of a 429", (refuse) => withoutHeaders(refuse("RATE_LIMITED", { retry_after: 1 }))],
    ["in the header of a 503", () => new Response("", { status: 503, headers: { "retry-after": "1" } })],
    ["as a date", () => retryAt(1_000)],
    ["as a date by a clock that is behind", () => retryAt(1_000, -3_600_000)],
  ])("a Retry-After time, %s, is retried after that time", async (_, answer) => {
    respondInOrder(answer);
    const delays: number[] = [];
    await service.agent().profile.get({ onRetry: (_error, delay) => delays.push(delay) });
    expect(delays).toHaveLength(1);
    expect(delays[0]).toBeGreaterThanOrEqual(1_000);
  });

  it("a Retry-After time above the maximum is not retried", async () => {
    respondInOrder((refuse) => refuse("RATE_LIMITED", { retry_after: 2 }));
    const limited = service.agent({ maxRetryAfter: 1 });
    await expect(limited.profile.get()).rejects.toThrow(RateLimitedError);
    expect(service.requests).toHaveLength(1);
  });

  it.each<[string, Reply, new (...args: never[]) => Error]>([
    ["500", (refuse) => refuse("INTERNAL"), InternalError],
    ["429 without a Retry-After time", (refuse) => refuse("RATE_LIMITED"), RateLimitedError],
  ])("%s is not retried", async (_, answer, ErrorClass) => {
    respondInOrder(answer);
    await expect(service.agent().profile.get()).rejects.toThrow(ErrorClass);
    expect(service.requests).toHaveLength(1);
  });

  it("errors reports all of them but the last to `onRetry`", async () => {
    service.use(limits.get(({ error }) => error("UNAVAILABLE")));
    const told: string[] = [];
    const operation = { id: "limits.get", method: "GET", path: "/limits" } as const;
    const call = service
      .agent()
      .call(operation, {}, { maxRetries: 2, onRetry: ({ code }) => told.push(code) });
    await expect(call).rejects.toThrow(UnavailableError);
    expect(told).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
    expect(service.requests).toHaveLength(3);
  });

  it("a 5xx response is not retried if it issues a key, because that is not idempotent", async () => {
    service.use(keys.issue(({ error }) => error("UNAVAILABLE")));
    await expect(service.dashboard().keys.issue({ handle_id: "1" })).rejects.toThrow(UnavailableError);
    expect(service.requests).toHaveLength(1);
  });
});

/** Returns a 503 whose `Retry-After` is the date after `delayMs` by the service's clock. */
function retryAt(delayMs: number, clockOffsetMs = 0): Response {
  const now = Math.ceil(Date.now() / 1_000) * 1_000 + clockOffsetMs;
  const [date, retryAfter] = [now, now + delayMs].map((time) => new Date(time).toUTCString()) as [
    string,
    string,
  ];
  return new Response("", { status: 503, headers: { date, "retry-after": retryAfter } });
}

/** Returns the response without its header `retry-after`. */
function withoutHeaders({ status, body }: Response): Response {
  return new Response(body, { status });
}

describe("a request that issues a key, without idempotency,", () => {
  async function dashboard(): Promise<{ issue: () => Promise<unknown>; keys: () => Promise<number> }> {
    const idToken = await daemon.issuer.token({ claims: { sub: "bob", email: "bob@example.com" } });
    const human = new WireroomDashboard({ idToken, baseUrl: proxy.base });
    return {
      issue: () => human.keys.issue({ handle_id: bob.id }),
      keys: async () => (await human.keys.list()).keys.length,
    };
  }

  it("is not retried if it may have reached the service", async () => {
    const { issue, keys } = await dashboard();
    const before = await keys();
    proxy.queueFaults("cut-after");
    const error = await issue().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ mayHaveArrived: true });
    proxy.queueFaults("503");
    await expect(issue()).rejects.toThrow(UnavailableError);
    expect(await keys()).toBe(before + 1);
  });
});

describe("a request that issues a key and certainly did not reach the service", () => {
  const service = mockService();

  it("is retried", async () => {
    // No server listens at this address, so the system refuses the connection.
    const baseUrl = `http://127.0.0.1:${await freePort()}/v1`;
    service.use(wireroomHandlers.keys.issue(({ count }) => (count === 1 ? passthrough() : { key: "wr_x" })));
    const human = service.dashboard({ baseUrl });
    expect((await human.keys.issue({ handle_id: "1" })).key).toBe("wr_x");
    expect(service.requests).toHaveLength(2);
  });
});

describe("an idempotency key of the caller", () => {
  it("makes two calls send one wire; operations without support send no key", async () => {
    const sendOnce = () => alice.wires.send({ to: "@bob", text: "once" }, { idempotencyKey: "once-1" });
    expect((await sendOnce()).id).toBe((await sendOnce()).id);
    expect(await newTexts()).toEqual(["once"]);
    await alice.profile.get();
    expect(proxy.requests.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      "once-1",
      "once-1",
      undefined,
    ]);
  });
});

describe("close", () => {
  it("does not wait for the next attempt of a call", async () => {
    const wr = new Wireroom({
      apiKey: "wr_x",
      maxRetries: Infinity,
      fetch: async () =>
        Response.json({ code: "UNAVAILABLE", message: "busy", retry_after: 30 }, { status: 503 }),
    });
    const call = wr.profile.get().catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const started = performance.now();
    await wr.close();
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(await call).toMatchObject({ code: "UNAVAILABLE" });
  });
});

describe("a signal", () => {
  it("aborts a call, its retry delays and a long-poll, with its reason", async () => {
    const reason = new Error("enough");
    const aborted = AbortSignal.abort(reason);
    await expect(alice.profile.get({ signal: aborted })).rejects.toBe(reason);
    expect(proxy.requests).toHaveLength(0);

    const expectAbortedDuring = async (fault: Fault, call: (signal: AbortSignal) => Promise<unknown>) => {
      proxy.setDefaultFault(() => fault);
      const stop = new AbortController();
      setTimeout(() => stop.abort(reason), 100);
      await expect(call(stop.signal)).rejects.toBe(reason);
    };
    await expectAbortedDuring("half-open", (signal) => alice.profile.get({ signal }));
    await expectAbortedDuring("503", (signal) => alice.profile.get({ signal, maxRetries: Infinity }));
    await expectAbortedDuring("pass", (signal) => alice.inbox.read({ wait: 30 }, { signal }));
  });
});

describe("a long-poll", () => {
  const slow: Fetch = async (_, { signal }) => {
    await sleep(300, undefined, { signal });
    return Response.json({});
  };

  it.each(["wait", "wait_for_reply"])("adds the seconds of `%s` to the timeout of a call", async (field) => {
    const wr = new Wireroom({ apiKey: "wr_x", fetch: slow, timeout: 100, maxRetries: 0 });
    const operation = { id: "wires.send", method: "POST", path: "/wires", held: true } as const;
    await expect(wr.call(operation, { [field]: 0 })).rejects.toBeInstanceOf(TimeoutError);
    expect(await wr.call(operation, { [field]: 1 })).toEqual({});
  });

  it("may take its wait longer than the timeout", async () => {
    const started = Date.now();
    const page = await alice.inbox.read({ wait: 1 }, { timeout: 500 });
    expect(page.wires).toEqual([]);
    expect(Date.now() - started).toBeGreaterThan(900);
  });
});
