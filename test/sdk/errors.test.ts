/** The errors with which SDK calls reject. */
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import * as sdk from "../../sdk/src/index.js";
import { wireroomHandlers } from "../../sdk/src/msw/index.js";
import { ERRORS } from "../../src/contract/errors.js";
import { startDaemon, type TestDaemon } from "../harness/daemon.js";
import { mockService } from "../harness/mock-service.js";
import { createSdkAgent, dashboardClient, type SdkAgent } from "../harness/sdk.js";

let daemon: TestDaemon;
let alice: SdkAgent;
let bob: SdkAgent;

beforeAll(async () => {
  daemon = await startDaemon({
    isHosted: true,
    args: ["--limit", "schemas_per_hour=1", "--limit", "spaces_per_account=1"],
  });
  alice = await createSdkAgent(daemon, "alice");
  bob = await createSdkAgent(daemon, "bob");
});

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(async () => {
  await daemon.stop();
});

/** Returns the error with which a promise rejects. */
async function failure(promise: PromiseLike<unknown>): Promise<sdk.WireroomError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof sdk.WireroomError) return error;
    throw error;
  }
  throw new Error("the promise did not reject");
}

describe("an error in the service's envelope", () => {
  const service = mockService();

  it("has its own class for every error code", async () => {
    for (const [code, { status }] of Object.entries(ERRORS)) {
      // The type of `error` takes the codes of the operation alone.
      const answer = (error: (code: never, fields: object) => Response) =>
        error(code as never, { message: "why" });
      service.use(wireroomHandlers.profile.get(({ error }) => answer(error)));
      const error = await failure(service.agent({ maxRetries: 0 }).profile.get());
      expect(error).toBeInstanceOf(sdk.WireroomError);
      expect(error.constructor).not.toBe(sdk.WireroomError);
      expect(error.name).toBe(error.constructor.name);
      expect(error).toMatchObject({ code, status, message: expect.stringMatching(/^why\b/) });
    }
  });

  it("with an unknown code is a WireroomError", async () => {
    const teapot = () => Response.json({ code: "TEAPOT", message: "short and stout" }, { status: 418 });
    service.use(wireroomHandlers.profile.get(teapot));
    const error = await failure(service.agent().profile.get());
    expect(error.constructor).toBe(sdk.WireroomError);
    expect(error).toMatchObject({ code: "TEAPOT", status: 418 });
  });
});

describe("an error of the service", () => {
  it("names the invalid field of the input", async () => {
    const error = await failure(alice.wr.wires.send({ to: "not a name", text: "hi" }));
    expect(error).toBeInstanceOf(sdk.ValidationError);
    expect(error.errors[0]).toMatchObject({ instancePath: "/to", keyword: "pattern" });
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("contains the schema, the rule and the reasons for a rejected payload", async () => {
    const schema = { type: "object", properties: { price: { type: "number", minimum: 0 } } };
    const { ref } = await bob.wr.schemas.register({ subject: "@bob/quote", json_schema: schema });
    await bob.wr.profile.update({ inbox_rule: { allow_text: false, accepted_schemas: ["@bob/quote"] } });
    const error = await failure(alice.wr.wires.send({ to: "@bob", payload: { price: -1 } }));
    expect(error).toBeInstanceOf(sdk.SchemaValidationFailedError);
    expect(error).toMatchObject({ status: 422, ruleSource: "inbox", schemaRef: ref });
    expect(error.schemaUrl).toBe(`${daemon.base}/schemas/${encodeURIComponent(ref)}`);
    expect(error.errors).toEqual([
      { instancePath: "/price", keyword: "minimum", message: expect.any(String) },
    ]);
    const denied = await failure(alice.wr.wires.send({ to: "@bob", text: "hi" }));
    expect(denied).toBeInstanceOf(sdk.PostingDeniedError);
    expect(denied.ruleSource).toBe("inbox");
  });

  it("has a class that identifies the kind of refusal", async () => {
    await bob.wr.profile.update({ contact_policy: "contacts_only" });
    expect(await failure(alice.wr.wires.send({ to: "@bob", text: "hi" }))).toBeInstanceOf(
      sdk.KnockRequiredError,
    );
    expect(await failure(alice.wr.wires.get({ id: "nowhere" }))).toBeInstanceOf(sdk.NotFoundError);
    const note = await alice.wr.wires.send({ to: "@alice", text: "note" });
    expect(await failure(bob.wr.wires.get({ id: note.id }))).toBeInstanceOf(sdk.ForbiddenError);
    expect(await failure(alice.wr.wires.vote({ id: note.id }))).toBeInstanceOf(sdk.VotingDisabledError);
    const stranger = new sdk.Wireroom({ apiKey: "wr_nobody", baseUrl: daemon.base });
    expect(await failure(stranger.inbox.read())).toBeInstanceOf(sdk.UnauthorizedError);
    const human = new sdk.WireroomDashboard({ idToken: "no.such.token", baseUrl: daemon.base });
    expect(await failure(human.account.get())).toBeInstanceOf(sdk.ForbiddenError);
  });

  it("of a rate limit is thrown at once if the wait is longer than a minute", async () => {
    const again = { subject: "@bob/quote", json_schema: { type: "object" } };
    const error = await failure(bob.wr.schemas.register(again));
    expect(error).toBeInstanceOf(sdk.RateLimitedError);
    expect(error.retryAfter).toBeGreaterThan(3_000);
  });

  it("of a quota is thrown at once, because waiting does not help", async () => {
    await alice.wr.spaces.create({ slug: "one", visibility: "public" });
    const error = await failure(alice.wr.spaces.create({ slug: "two", visibility: "public" }));
    expect(error).toBeInstanceOf(sdk.RateLimitedError);
    expect(error.retryAfter).toBeUndefined();
  });
});

describe("an error in a log", () => {
  it("has only the fields that are defined, and names the service and its setting", async () => {
    const env = { WIREROOM_URL: "http://127.0.0.1:1", WIREROOM_API_KEY: "wr_nobody" };
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const lost = await failure(new sdk.Wireroom({ maxRetries: 0 }).profile.get());
    expect(inspect(lost)).toContain("http://127.0.0.1:1/v1 (ECONNREFUSED); WIREROOM_URL names the service");
    expect(inspect(lost)).not.toContain("undefined");
    vi.stubEnv("WIREROOM_URL", daemon.base);
    const refused = await failure(new sdk.Wireroom().profile.get());
    expect(refused.message).toContain(`(asked ${daemon.base}; WIREROOM_URL names the service)`);
    expect(inspect(refused)).not.toContain("undefined");
  });
});

describe("a response that is not from Wireroom", () => {
  const service = mockService();

  it.each<[string, Response, object]>([
    [
      "an error page",
      new Response("<h1>Bad Gateway</h1>", { status: 502, headers: { "retry-after": "7" } }),
      { status: 502, retryAfter: 7 },
    ],
    [
      "a Retry-After of neither seconds nor a date",
      new Response("", { status: 503, headers: { "retry-after": "1.5" } }),
      { status: 503 },
    ],
    ["JSON of another shape", Response.json({ error: "no" }, { status: 400 }), { status: 400 }],
    [
      "a redirect",
      new Response("", { status: 302, headers: { location: "https://example.com" } }),
      { status: 302 },
    ],
    [
      "a page",
      new Response("<h1>Welcome</h1>"),
      { status: 200, message: expect.stringContaining("base URL") },
    ],
    ["an empty success", new Response(""), { status: 200, message: expect.stringContaining("not JSON") }],
    ["a truncated success", new Response('{"slug":"al'), { status: 200 }],
  ])("such as %s is an UNEXPECTED_RESPONSE with the status", async (_, answer, expected) => {
    service.use(wireroomHandlers.profile.get(answer));
    const error = await failure(service.agent({ maxRetries: 0 }).profile.get());
    expect(error).toMatchObject({ code: "UNEXPECTED_RESPONSE", ...expected });
    if (!("retryAfter" in expected)) expect(error.retryAfter).toBeUndefined();
  });
});

describe("an input that cannot be serialised", () => {
  it("rejects with a TypeError, without a request", async () => {
    const call = (id: unknown) => alice.wr.wires.get({ id: id as string });
    await expect(call(undefined)).rejects.toThrow(
      new TypeError("wires.get: `id` must be a non-empty string, not undefined"),
    );
    for (const id of ["", ".", ".."]) await expect(call(id)).rejects.toThrow(TypeError);
    const cursor = null as unknown as string;
    await expect(alice.wr.knocks.list({ cursor })).rejects.toThrow("knocks.list: `cursor` must not be null");
    const send = alice.wr.wires.send({ to: "@alice", text: "hi" }, { idempotencyKey: "two words" });
    await expect(send).rejects.toThrow("visible ASCII");
  });
});

describe("a rejection that the caller handles", () => {
  const service = mockService();

  it("is not reported as unhandled, however the call is awaited", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    service.use(wireroomHandlers.wires.get(({ error }) => error("NOT_FOUND", { message: "no" })));
    const wr = service.agent();
    await expect(wr.wires.get({ id: "x" }).withResponse()).rejects.toThrow("no");
    await wr.wires.get({ id: "x" }).catch(() => {});
    await wr.wires
      .get({ id: "x" })
      .finally(() => {})
      .catch(() => {});
    await Promise.allSettled([wr.wires.get({ id: "x" })]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});

it("requests a new ID token before each request", async () => {
  const dashboard = await dashboardClient(daemon, "ada");
  expect((await dashboard.account.get()).email).toBe("ada@example.com");
  let asked = 0;
  const failing = new sdk.WireroomDashboard({
    baseUrl: daemon.base,
    idToken: async () => {
      asked++;
      throw new Error("signed out");
    },
  });
  await expect(failing.account.get()).rejects.toThrow("signed out");
  expect(asked).toBe(1);
});
