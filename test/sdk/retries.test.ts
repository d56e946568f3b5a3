/**
 * Faults between the SDK and the daemon: nothing is lost, and nothing is sent twice. A proxy before a daemon cuts connections,
 * which msw cannot; answers that are faults in themselves come from msw.
 */
import { passthrough } from "msw";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  ConnectionError,
  InternalError,
  RateLimitedError,
  TimeoutError,
  UnavailableError,
  Wireroom,
  WireroomDashboard,
} from "../../sdk/src/index.js";
import { NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { type Fault, type FaultProxy, startFaultProxy } from "../harness/fault-proxy.js";
import { freePort } from "../harness/free-port.js";
import { envelope, mockService } from "../harness/mock-service.js";
import { type SdkAgent, sdkAgent } from "../harness/sdk.js";

let daemon: TestDaemon;
let proxy: FaultProxy;
let alice: Wireroom;
let bob: SdkAgent;

beforeAll(async () => {
  daemon = await startDaemon({ args: NO_LIMITS });
  proxy = await startFaultProxy(() => daemon.origin);
  const { key } = await sdkAgent(daemon, "alice");
  alice = new Wireroom({ apiKey: key, baseUrl: proxy.base, timeout: 3_000 });
  bob = await sdkAgent(daemon, "bob");
});

afterEach(() => {
  proxy.seen.length = 0;
  proxy.always(() => "pass");
});

afterAll(async () => {
  await proxy.close();
  await daemon.stop();
});

let cursor: string | undefined;

/** Texts that came to bob since the last time. */
async function newTexts(): Promise<(string | null)[]> {
  const page = await bob.wr.inbox.read({ cursor, limit: 100 });
  cursor = page.next_cursor;
  return page.wires.map((wire) => wire.text_body);
}

describe("a wire arrives once, and the caller learns its id, when", () => {
  const cases: [string, Fault[]][] = [
    ["the connection is cut before the request arrived", ["cut-before"]],
    ["the connection is cut after the request arrived", ["cut-after"]],
    ["the connection is cut within the answer", ["cut-within"]],
    ["the request vanishes without a trace", ["half-open"]],
    ["the answer vanishes without a trace", ["half-open-after"]],
    ["the answer is slow", ["slow"]],
    ["one fault follows the other", ["cut-after", "503", "cut-before"]],
  ];

  it.each(cases)("%s", async (name, faults) => {
    proxy.next(...faults);
    const sent = await alice.wires.send({ to: "@bob", text: name });
    expect(await newTexts()).toEqual([name]);
    expect((await bob.wr.wires.get({ id: sent.id })).text_body).toBe(name);
    const expected = faults[0] === "slow" ? 1 : faults.length + 1;
    expect(proxy.seen).toHaveLength(expected);
    expect(new Set(proxy.seen.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it("many are sent at once over a network that fails half of the time", async () => {
    const kinds: Fault[] = ["cut-before", "cut-after", "cut-within", "503"];
    let n = 0;
    proxy.always(() => (n++ % 2 === 0 ? kinds[((n / 2) % kinds.length) | 0]! : "pass"));
    const texts = Array.from({ length: 60 }, (_, i) => `many ${i}`);
    const sent = await Promise.all(
      texts.map((text) => alice.wires.send({ to: "@bob", text }, { maxRetries: 20 })),
    );
    expect(new Set(sent.map(({ id }) => id)).size).toBe(texts.length);
    expect((await newTexts()).sort()).toEqual([...texts].sort());
  });
});

describe("a failure is given to the caller when", () => {
  it("the retries are used up", async () => {
    proxy.always(() => "cut-before");
    const send = alice.wires.send({ to: "@bob", text: "lost" }, { maxRetries: 2 });
    await expect(send).rejects.toThrow(ConnectionError);
    expect(proxy.seen).toHaveLength(3);
    proxy.always(() => "503");
    await expect(alice.inbox.read({}, { maxRetries: 1 })).rejects.toThrow(UnavailableError);
    expect(await newTexts()).toEqual([]);
  });

  it("no attempt was answered in time", async () => {
    proxy.always(() => "half-open");
    const read = alice.profile.get({ timeout: 500, maxRetries: 1 });
    await expect(read).rejects.toThrow("profile.get: no answer within 500 ms");
    await expect(alice.profile.get({ timeout: 500, maxRetries: 0 })).rejects.toThrow(TimeoutError);
    expect(proxy.seen).toHaveLength(3);
  });

  it("nothing listens at the address", async () => {
    const gone = new Wireroom({ apiKey: "wr_x", baseUrl: "http://127.0.0.1:9/v1", maxRetries: 0 });
    const error = await gone.profile.get().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "CONNECTION_FAILED", status: undefined, mayHaveArrived: false });
    expect((error as Error).message).toContain("http://127.0.0.1:9/v1 (ECONNREFUSED)");
  });
});

describe("a service that answers", () => {
  const service = mockService();

  /** Answers these in turn, then as the daemon would. */
  const first = (...answers: (() => Response)[]) =>
    service.answers((_, count) => answers[count - 1]?.() ?? Response.json({ slug: "alice" }));

  it.each<[string, (() => Response)[]]>([
    ["502 without an envelope", [() => new Response("<h1>Bad Gateway</h1>", { status: 502 })]],
    ["503 in its envelope", [() => envelope(503, "UNAVAILABLE")]],
    ["504 with nothing", [() => new Response(null, { status: 504 })]],
    ["with a network error", [() => Response.error()]],
    ["one of each", [() => Response.error(), () => envelope(503, "UNAVAILABLE"), () => Response.error()]],
  ])("%s is asked again, and its first success is the answer", async (_, answers) => {
    first(...answers);
    expect((await service.agent().profile.get()).slug).toBe("alice");
    expect(service.requests).toHaveLength(answers.length + 1);
  });

  it.each<[string, () => Response]>([
    ["in the body of a 429", () => envelope(429, "RATE_LIMITED", { retry_after: 1 })],
    ["in the header of a 503", () => new Response("", { status: 503, headers: { "retry-after": "1" } })],
  ])("with a time to wait, %s, is asked again after that time", async (_, answer) => {
    first(answer);
    const delays: number[] = [];
    await service.agent().profile.get({ onRetry: (_error, delay) => delays.push(delay) });
    expect(delays).toHaveLength(1);
    expect(delays[0]).toBeGreaterThanOrEqual(1_000);
  });

  it("with a time to wait that is longer than the cap is not asked again", async () => {
    first(() => envelope(429, "RATE_LIMITED", { retry_after: 2 }));
    const limited = service.agent({ maxRetryAfter: 1 });
    await expect(limited.profile.get()).rejects.toThrow(RateLimitedError);
    expect(service.requests).toHaveLength(1);
  });

  it.each<[string, () => Response, new (...args: never[]) => Error]>([
    ["500", () => envelope(500, "INTERNAL"), InternalError],
    ["429 without a time to wait", () => envelope(429, "RATE_LIMITED"), RateLimitedError],
  ])("%s is not asked again", async (_, answer, ErrorClass) => {
    first(answer);
    await expect(service.agent().profile.get()).rejects.toThrow(ErrorClass);
    expect(service.requests).toHaveLength(1);
  });

  it("with faults is told of to `onRetry`, but for the last", async () => {
    service.answers(() => envelope(503, "UNAVAILABLE"));
    const told: string[] = [];
    const operation = { id: "limits.get", method: "GET", path: "/limits" } as const;
    const call = service
      .agent()
      .call(operation, {}, { maxRetries: 2, onRetry: ({ code }) => told.push(code) });
    await expect(call).rejects.toThrow(UnavailableError);
    expect(told).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
    expect(service.requests).toHaveLength(3);
  });

  it("with a 5xx to the issuing of a key, which is not repeatable, is not asked again", async () => {
    service.answers(() => envelope(503, "UNAVAILABLE"));
    await expect(service.human().keys.issue({ handle_id: "1" })).rejects.toThrow(UnavailableError);
    expect(service.requests).toHaveLength(1);
  });
});

describe("the issuing of a key, which the service cannot recognise as repeated,", () => {
  async function dashboard(): Promise<{ issue: () => Promise<unknown>; keys: () => Promise<number> }> {
    const idToken = await daemon.issuer.token({ claims: { sub: "bob", email: "bob@example.com" } });
    const human = new WireroomDashboard({ idToken, baseUrl: proxy.base });
    return {
      issue: () => human.keys.issue({ handle_id: bob.id }),
      keys: async () => (await human.keys.list()).keys.length,
    };
  }

  it("is not repeated once it may have arrived", async () => {
    const { issue, keys } = await dashboard();
    const before = await keys();
    proxy.next("cut-after");
    const error = await issue().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ mayHaveArrived: true });
    proxy.next("503");
    await expect(issue()).rejects.toThrow(UnavailableError);
    expect(await keys()).toBe(before + 1);
  });
});

describe("the issuing of a key, where the request surely did not arrive,", () => {
  const service = mockService();

  it("is repeated", async () => {
    // Nothing listens there, so the system refuses the request that passes through.
    const baseUrl = `http://127.0.0.1:${await freePort()}/v1`;
    const issued = { id: "1", key: "wr_x", prefix: "wr_x" };
    service.answers(
      (_, count) => (count === 1 ? passthrough() : Response.json(issued, { status: 201 })),
      `${baseUrl}/keys`,
    );
    const human = service.human({ baseUrl });
    expect((await human.keys.issue({ handle_id: "1" })).key).toBe("wr_x");
    expect(service.requests).toHaveLength(2);
  });
});

describe("an idempotency key of the caller's own", () => {
  it("makes two calls one wire, and other operations send none", async () => {
    const once = () => alice.wires.send({ to: "@bob", text: "once" }, { idempotencyKey: "once-1" });
    expect((await once()).id).toBe((await once()).id);
    expect(await newTexts()).toEqual(["once"]);
    await alice.profile.get();
    expect(proxy.seen.map(({ idempotencyKey }) => idempotencyKey)).toEqual(["once-1", "once-1", undefined]);
  });
});

describe("a signal", () => {
  it("ends a call, its waits between attempts, and a long-poll, with its own reason", async () => {
    const reason = new Error("enough");
    const aborted = AbortSignal.abort(reason);
    await expect(alice.profile.get({ signal: aborted })).rejects.toBe(reason);
    expect(proxy.seen).toHaveLength(0);

    const during = async (fault: Fault, call: (signal: AbortSignal) => Promise<unknown>) => {
      proxy.always(() => fault);
      const stop = new AbortController();
      setTimeout(() => stop.abort(reason), 100);
      await expect(call(stop.signal)).rejects.toBe(reason);
    };
    await during("half-open", (signal) => alice.profile.get({ signal }));
    await during("503", (signal) => alice.profile.get({ signal, maxRetries: Infinity }));
    await during("pass", (signal) => alice.inbox.read({ wait: 30 }, { signal }));
  });
});

describe("a long-poll", () => {
  it("may take as long as it is held, beyond the timeout", async () => {
    const started = Date.now();
    const page = await alice.inbox.read({ wait: 2 }, { timeout: 500 });
    expect(page.wires).toEqual([]);
    expect(Date.now() - started).toBeGreaterThan(1_900);
  });
});
