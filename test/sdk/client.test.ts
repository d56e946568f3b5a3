/** Settings and transports of the SDK client, and metadata of its responses. */
import { inspect } from "node:util";
import { delay } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  ForbiddenError,
  NotFoundError,
  TimeoutError,
  Wireroom,
  WireroomDashboard,
} from "../../sdk/src/index.js";
import { exampleHandlers, wireroomHandlers } from "../../sdk/src/msw/index.js";
import { startDaemon, type TestDaemon } from "../harness/daemon.js";
import { mockService } from "../harness/mock-service.js";
import { createSdkAgent, dashboardClient, type SdkAgent } from "../harness/sdk.js";

let daemon: TestDaemon;
let alice: SdkAgent;

beforeAll(async () => {
  daemon = await startDaemon({ isHosted: true });
  alice = await createSdkAgent(daemon, "alice");
});

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(async () => {
  await alice.wr.close();
  await daemon.stop();
});

describe("the settings of a client", () => {
  it("are read from the environment if they are not passed", async () => {
    vi.stubEnv("WIREROOM_URL", `${daemon.base}/`);
    vi.stubEnv("WIREROOM_API_KEY", `${alice.key}\n`);
    expect((await new Wireroom().profile.get()).slug).toBe("alice");
    const token = await daemon.issuer.token({ claims: { sub: "ada", email: "ada@example.com" } });
    vi.stubEnv("WIREROOM_ID_TOKEN", token);
    expect((await new WireroomDashboard().account.get()).email).toBe("ada@example.com");
  });

  it("that are invalid are rejected with the valid values", () => {
    vi.stubEnv("WIREROOM_API_KEY", "");
    expect(() => new Wireroom()).toThrow("no credentials: pass the option `apiKey`, or set WIREROOM_API_KEY");
    expect(() => new Wireroom()).toThrow("`wireroom key issue @HANDLE` prints a key");
    expect(() => new WireroomDashboard()).toThrow("WIREROOM_ID_TOKEN");
    const apiKey = "wr_x";
    expect(() => new Wireroom({ apiKey: "wr_\u0000" })).toThrow("must contain only visible ASCII characters");
    expect(() => new Wireroom({ apiKey: "Bearer wr_x" })).toThrow('without "Bearer"');
    expect(() => new Wireroom({ apiKey, baseUrl: "localhost:4747" })).toThrow("http or https URL");
    expect(() => new Wireroom({ apiKey, baseUrl: "http://localhost:4747/api" })).toThrow(
      "`baseUrl` must be http://localhost:4747/v1, not http://localhost:4747/api",
    );
    vi.stubEnv("WIREROOM_URL", "http://localhost:4747/wireroom/v1");
    expect(() => new Wireroom({ apiKey })).toThrow("WIREROOM_URL must be http://localhost:4747/v1");
    vi.unstubAllEnvs();
    expect(() => new Wireroom({ apiKey, timeout: 0 })).toThrow(
      "`timeout` must be a number of at least 1, not 0",
    );
    expect(() => new Wireroom({ apiKey, maxRetries: Number.NaN })).toThrow("`maxRetries`");
  });

  it("may contain a function that returns a new token after a rejected one, used once per call", async () => {
    const good = await daemon.issuer.token({ claims: { sub: "ada", email: "ada@example.com" } });
    const asked: (string | undefined)[] = [];
    const clientWithTokens = (...tokens: string[]) => {
      asked.length = 0;
      return new WireroomDashboard({
        baseUrl: daemon.base,
        idToken: (refused) => {
          asked.push(refused);
          return tokens[asked.length - 1] ?? "another.stale.token";
        },
      });
    };
    expect((await clientWithTokens("stale.id.token", good).account.get()).email).toBe("ada@example.com");
    expect(asked).toEqual([undefined, "stale.id.token"]);
    await expect(clientWithTokens("stale.id.token").account.get()).rejects.toThrow(ForbiddenError);
    expect(asked).toEqual([undefined, "stale.id.token"]);
    await expect(clientWithTokens("stale.id.token", "stale.id.token").account.get()).rejects.toThrow(
      ForbiddenError,
    );
  });

  it("take a function that returns an access token, and ask it again with a token that was rejected", async () => {
    const { token } = await (await dashboardClient(daemon, "alice")).handles.issueToken({ slug: "alice" });
    const asked: (string | undefined)[] = [];
    const apiKey = (refused?: string) => {
      asked.push(refused);
      return refused === undefined ? `wt_${"x".repeat(43)}` : token;
    };
    const wr = new Wireroom({ apiKey, baseUrl: daemon.base });
    expect((await wr.profile.get()).slug).toBe("alice");
    expect(asked).toEqual([undefined, `wt_${"x".repeat(43)}`]);
    asked.length = 0;
    await expect(wr.spaces.get({ slug: "unknown" })).rejects.toThrow(NotFoundError);
    const fixed = new Wireroom({ apiKey: token, baseUrl: daemon.base });
    expect((await fixed.profile.get()).slug).toBe("alice");
    await Promise.all([wr.close(), fixed.close()]);
  });

  it("represent disabled limits as Infinity", async () => {
    const { key } = alice;
    const wr = new Wireroom({ apiKey: key, baseUrl: daemon.base, timeout: Infinity, connections: Infinity });
    expect((await wr.profile.get()).slug).toBe("alice");
    await wr.close();
  });

  it("do not expose the key when they are printed", () => {
    const shown = inspect(alice.wr, { depth: 10, showHidden: true }) + JSON.stringify(alice.wr);
    expect(shown).not.toContain(alice.key);
  });
});

describe("a response", () => {
  it("has the status, headers, request id and remaining rate limits", async () => {
    const send = alice.wr.wires.send({ to: "@alice", text: "note" });
    const { data, response } = await send.withResponse();
    expect(data).toEqual(await send);
    expect(response.status).toBe(201);
    expect(response.requestId).toBe(response.headers.get("x-request-id"));
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(response.rateLimit).toEqual([
      { name: "wires_per_minute", limit: 60, remaining: 59, window: 60, reset: expect.any(Number) },
      { name: "wires_per_day", limit: 2000, remaining: 1999, window: 86_400, reset: expect.any(Number) },
    ]);
    expect((await alice.wr.profile.get().withResponse()).response.rateLimit).toEqual([]);
  });

  it("is received once, even if its promise is awaited several times", async () => {
    const send = alice.wr.wires.send({ to: "@alice", text: "note" });
    const [first, second] = await Promise.all([send, send.then(({ id }) => id)]);
    expect(first.id).toBe(second);
    expect(await send.finally(() => {})).toEqual(first);
  });
});

describe("the requests of a client", () => {
  it("use several connections concurrently, and all get a response", async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => alice.wr.profile.get()));
    expect(new Set(all.map(({ slug }) => slug))).toEqual(new Set(["alice"]));
  });

  it("are rejected after the client was closed", async () => {
    const wr = new Wireroom({ apiKey: alice.key, baseUrl: daemon.base });
    await wr.profile.get();
    await wr.close();
    await expect(wr.profile.get()).rejects.toThrow(/closed|destroyed/);
  });
});

describe("a custom fetch function", () => {
  const service = mockService();

  it("receives the headers of the client and of the call, and a User-Agent", async () => {
    service.use(...exampleHandlers);
    const wr = service.agent({ headers: { "x-team": "blue", "x-call": "client" } });
    await wr.profile.get({ headers: { "x-call": "own" } });
    expect(Object.fromEntries(service.requests[0]!.headers)).toEqual({
      accept: "application/json",
      authorization: "Bearer wr_x",
      "user-agent": expect.stringMatching(/^wireroom-sdk\/0\.3\.0 node\//),
      "x-team": "blue",
      "x-call": "own",
    });
  });

  it("receives escaped paths and queries", async () => {
    service.use(...exampleHandlers);
    const wr = service.agent();
    await wr.schemas.get({ ref: "@alice/price-quote@2" });
    await wr.spaces.search({ slug: "ops", q: 'a&b "c d" +', limit: 5, cursor: undefined });
    expect(service.requests.map(({ url }) => url)).toEqual([
      "http://wireroom.test/v1/schemas/%40alice%2Fprice-quote%402",
      "http://wireroom.test/v1/spaces/ops/search?q=a%26b+%22c+d%22+%2B&limit=5",
    ]);
  });

  it("is aborted by the timeout and by the signal", async () => {
    service.use(wireroomHandlers.profile.get(() => delay("infinite")));
    const wr = service.agent({ timeout: 50, maxRetries: 1 });
    await expect(wr.profile.get()).rejects.toThrow(TimeoutError);
    expect(service.requests).toHaveLength(2);
    const reason = new Error("enough");
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), 20);
    await expect(wr.profile.get({ signal: stop.signal })).rejects.toBe(reason);
  });
});

describe("msw", () => {
  const server = setupServer(
    wireroomHandlers.profile.get({ slug: "mocked" }),
    wireroomHandlers.wires.get(({ error }) => error("NOT_FOUND")),
  );

  it("mocks the service for a client with the global fetch, created before or after the mock", async () => {
    const before = new Wireroom({ apiKey: "wr_x", fetch: (url, init) => fetch(url, init) });
    server.listen({ onUnhandledRequest: "error" });
    const after = new Wireroom({ apiKey: "wr_x", fetch: globalThis.fetch });
    for (const wr of [before, after]) {
      expect((await wr.profile.get()).slug).toBe("mocked");
      await expect(wr.wires.get({ id: "w1" })).rejects.toThrow(NotFoundError);
    }
    server.close();
  });
});
