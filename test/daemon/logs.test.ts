import { beforeAll, describe, expect, it } from "vitest";
import { EMBEDDED_IDENTITY, NO_LIMITS, startDaemon } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { postToMcp } from "../harness/mcp.js";

/** Secret values, one for each place from which a value must not be logged. */
const SECRETS = {
  text: "confidential-text-7f3a",
  payload: "confidential-payload-9c1d",
  intro: "confidential-intro-2b8e",
  query: "confidential-query-5d4f",
  idempotency: "confidential-idempotency-6a0c",
  invalid: "confidential-invalid-1e9b",
  password: "confidential-password-8d2c",
  bio: "confidential-bio-4c7a",
};

const { daemon, alice } = await daemonFixture(["alice"], { args: [...NO_LIMITS, "--log-level", "trace"] });
let token: string;

beforeAll(async () => {
  token = await daemon.issuer.token({ claims: { sub: "alice", email: "alice@example.com" } });
});

const lines = (log: string) =>
  log
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the log", () => {
  // [D12-logs]
  it("consists of JSON lines on standard error, each with a time and a level", async () => {
    await alice.get("/profile");
    await expect.poll(() => daemon.log()).toContain("profile.get");
    for (const line of lines(daemon.log())) {
      expect(line).toMatchObject({ level: expect.any(Number), time: expect.stringMatching(/^\d{4}-.*Z$/) });
    }
  });

  // [D12-logs]
  it("consists of JSON lines after an MCP batch of 20 calls with `wait`", async () => {
    const call = (_: unknown, id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "read_inbox", arguments: { wait: 0 } },
    });
    const reply = await postToMcp(daemon, alice.key, Array.from({ length: 20 }, call));
    expect(reply.body).toHaveLength(20);
    await expect.poll(() => daemon.log()).toContain("mcp.read_inbox");
    for (const line of lines(daemon.log())) expect(line).toMatchObject({ msg: expect.any(String) });
  });

  // [D12-logs]
  it("contains the warnings of Node as JSON lines", async () => {
    const preload = "process.on('SIGUSR2',()=>process.emitWarning('a-warning',{code:'TEST01'}))";
    const warned = await startDaemon({ env: { NODE_OPTIONS: `--import=data:text/javascript,${preload}` } });
    try {
      warned.process.kill("SIGUSR2");
      await expect.poll(() => warned.log()).toContain("a-warning");
      const logged = lines(warned.log()).find(({ msg }) => msg === "warning of Node");
      expect(logged).toMatchObject({ level: 40, err: { message: "a-warning", code: "TEST01" } });
    } finally {
      await warned.stop();
    }
  });

  // [D12-logs] [D2-request-id-log]
  it("has one line for each request: id, method, operation, caller, status and duration", async () => {
    const reply = await alice.get("/contacts");
    const id = reply.headers.get("x-request-id")!;
    await expect.poll(() => daemon.log()).toContain(id);
    expect(lines(daemon.log()).filter((line) => line.request_id === id)).toEqual([
      {
        level: 30,
        time: expect.any(String),
        pid: daemon.process.pid,
        hostname: expect.any(String),
        request_id: id,
        method: "GET",
        operation: "contacts.list",
        caller: "alice",
        status: 200,
        ms: expect.any(Number),
        msg: "request",
      },
    ]);
  });

  // [D12-logs]
  it("contains no key, token, password or message text, even at level trace", async () => {
    const bob = await daemon.createAgent("bob", { bio: SECRETS.bio });
    await alice.post("/wires", { to: "bob", text: SECRETS.text, payload: { a: SECRETS.payload } });
    await alice.post("/wires", { to: "bob", text: SECRETS.text }, { "Idempotency-Key": SECRETS.idempotency });
    await alice.post("/wires", `{"to":"bob","text":"${SECRETS.invalid}`);
    await alice.post("/wires", { to: "bob", [SECRETS.invalid]: 1 });
    await alice.post("/knocks", { handle: "bob", intro: SECRETS.intro });
    await alice.get(`/search?type=handles&q=${SECRETS.query}`);
    await alice.get(`/${SECRETS.query}`);
    await alice.get(`/inbox?cursor=${SECRETS.query}`);
    await daemon.client(token).get("/handles");
    await daemon.client(`${token}x`).get("/handles");
    await daemon.client(`wr_${"z".repeat(43)}`).get("/inbox");
    await fetch(`${daemon.base}/inbox?key=${alice.key}`);
    await fetch(`${daemon.base}/inbox`, {
      headers: { authorization: `Basic ${btoa(`alice:${SECRETS.password}`)}` },
    });
    await bob.get("/inbox");
    const last = await alice.get("/profile");
    await expect.poll(() => daemon.log()).toContain(last.headers.get("x-request-id"));
    const kept = [
      ...Object.values(SECRETS),
      alice.key,
      bob.key,
      token,
      "z".repeat(43),
      btoa(`alice:${SECRETS.password}`),
    ];
    expect(kept.filter((secret) => daemon.log().includes(secret))).toEqual([]);
    // The parts of the token must not be logged separately.
    for (const part of token.split(".").slice(1)) expect(daemon.log()).not.toContain(part);
  });

  // [D12-codes-in-log] [D12-logs]
  it("shows codes of the embedded provider, and no password", async () => {
    const own = await startDaemon(EMBEDDED_IDENTITY);
    try {
      const email = "carol@example.com";
      const response = await fetch(`${own.origin}/identity/sign-up`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password: SECRETS.password }),
      });
      expect(response.status).toBe(202);
      await expect.poll(() => own.log()).toMatch(/\b\d{6}\b/);
      expect(own.log()).not.toContain(SECRETS.password);
    } finally {
      await own.stop();
    }
  });

  // [D12-log-level]
  it("has level info by default, and the level of --log-level", async () => {
    const usual = await startDaemon({ isHosted: true });
    const quiet = await startDaemon({ args: ["--log-level", "warn"], isHosted: true });
    for (const one of [usual, quiet]) await one.client().get("/inbox");
    await expect.poll(() => usual.log()).toContain('"request"');
    expect(lines(usual.log()).every(({ level }) => level >= 30)).toBe(true);
    expect(quiet.log()).toBe("");
    await Promise.all([usual.stop(), quiet.stop()]);
  });
});
