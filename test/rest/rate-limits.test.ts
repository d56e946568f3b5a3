import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { type AgentClient, type JsonResponse, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { withDatabase } from "../harness/database.js";
import { expectError } from "../harness/envelope.js";

/** The daemons by their flags. Tests with the same limits share one. */
const daemons = new Map<string, TestDaemon>();
afterAll(() => Promise.all([...daemons.values()].map((one) => one.stop())));

/**
 * Limits that most tests share. Each test has its own agents, so the tests do not count against each other.
 */
const LOW_LIMITS = ["wires_per_minute=1", "knocks_per_hour=2", "schemas_per_hour=2", "spaces_per_hour=1"];
const NOTHING = ["wires_per_minute=0", "knocks_per_hour=0"];

let tests = 0;

/** Creates two agents on a daemon with these limits. `wire` is a wire to the second one. */
async function limited(...limits: string[]) {
  const args = limits.flatMap((limit) => ["--limit", limit]);
  // One of the tests kills this daemon.
  const isHosted = limits.join() !== LOW_LIMITS.join();
  const daemon = daemons.get(args.join()) ?? (await startDaemon({ args, isHosted }));
  daemons.set(args.join(), daemon);
  tests++;
  const alice = await daemon.createAgent(`alice-${tests}`);
  const bob = await daemon.createAgent(`bob-${tests}`);
  return { daemon, alice, bob, wire: { to: bob.slug, text: "x" } };
}

/** Moves the creation time of all rows of a table into the past. */
function backdateRows(daemon: TestDaemon, table: string, milliseconds: number): Promise<number> {
  return withDatabase(daemon.dataDir, (db) =>
    db.run(`UPDATE ${table} SET created_at = created_at - ?`, milliseconds),
  );
}

function expectLimited(reply: JsonResponse): number {
  const { retry_after } = expectError(reply, "RATE_LIMITED");
  expect(reply.headers.get("retry-after")).toBe(String(retry_after));
  return retry_after;
}

/** A request, and the times of the clock before and after it. */
interface Attempt {
  reply: JsonResponse;
  began: number;
  ended: number;
}

async function attempt(client: AgentClient, wire: object): Promise<Attempt> {
  const began = Date.now();
  const reply = await client.post("/wires", wire);
  return { reply, began, ended: Date.now() };
}

/**
 * Expects that a request was refused, with the seconds until a time that is known to lie between `earliest`
 * and `latest`.
 */
function expectRefusedUntil({ reply, began, ended }: Attempt, earliest: number, latest = earliest): void {
  const wait = expectLimited(reply);
  expect(wait).toBeGreaterThanOrEqual(Math.max(1, Math.ceil((earliest - ended) / 1_000)));
  expect(wait).toBeLessThanOrEqual(Math.ceil((latest - began) / 1_000));
}

describe("the limit of wires per minute", () => {
  // [D4-window] [D4-stored-only] [S8-exceeded]
  it("stores exactly ten of a hundred concurrent wires", async () => {
    const { alice, bob, wire } = await limited("wires_per_minute=10");
    const replies = await Promise.all(Array.from({ length: 100 }, () => alice.post("/wires", wire)));
    const stored = replies.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(stored).toHaveLength(10);
    for (const reply of replies.filter(({ status }) => status !== 201)) expectLimited(reply);
    const { wires } = (await bob.get("/inbox?limit=100")).body;
    expect(wires.map(({ id }: { id: string }) => id).sort()).toEqual(stored.sort());
  });

  // [D4-window] [D4-retry-after]
  it("has a sliding window: each wire stops counting 60 s after it was sent", async () => {
    const { daemon, alice, wire } = await limited("wires_per_minute=2");
    const first = await attempt(alice, wire);
    await backdateRows(daemon, "wires", 40_000);
    const second = await attempt(alice, wire);
    expect([first.reply.status, second.reply.status]).toEqual([201, 201]);
    // The first wire stops counting 60 s after it was sent, which was just over 40 s ago.
    expectRefusedUntil(await attempt(alice, wire), first.began + 20_000, first.ended + 20_000);
    await backdateRows(daemon, "wires", 10_000);
    expectRefusedUntil(await attempt(alice, wire), first.began + 10_000, first.ended + 10_000);
    await backdateRows(daemon, "wires", 10_000);
    expect((await alice.post("/wires", wire)).status).toBe(201);
    expectRefusedUntil(await attempt(alice, wire), second.began + 40_000, second.ended + 40_000);
  });

  // [D4-retry-after] [D2-retry-after]
  it("returns an exact retry_after: a request is rejected just before, and accepted just after", async () => {
    const { daemon, alice, wire } = await limited(...LOW_LIMITS);
    await alice.post("/wires", wire);
    await backdateRows(daemon, "wires", 57_000);
    const sentAt = await withDatabase(daemon.dataDir, (db) =>
      db.all<{ created_at: number }>("SELECT max(created_at) AS created_at FROM wires"),
    );
    const freeAt = sentAt[0]!.created_at + 60_000;
    expectRefusedUntil(await attempt(alice, wire), freeAt);
    await sleep(Math.max(0, freeAt - Date.now() - 150));
    for (;;) {
      const last = await attempt(alice, wire);
      if (last.reply.status === 201) {
        expect(last.ended + 5).toBeGreaterThanOrEqual(freeAt);
        break;
      }
      expect(last.began).toBeLessThan(freeAt + 5);
      expectRefusedUntil(last, freeAt, freeAt + 5);
      await sleep(20);
    }
  });

  // [D4-window]
  it("counts each handle separately, even handles of one account", async () => {
    const { daemon, alice, bob, wire } = await limited(...LOW_LIMITS);
    const sister = await daemon.createAgent(`${alice.slug}-two`, {}, alice.slug);
    for (const sender of [alice, bob, sister]) {
      expect((await sender.post("/wires", wire)).status).toBe(201);
      expectLimited(await sender.post("/wires", wire));
    }
  });

  // [D4-stored-only]
  it("counts only stored wires, not requests with a 400, 403, 404 or 422 response", async () => {
    const { daemon, alice, wire } = await limited(...LOW_LIMITS);
    await daemon.createAgent("shy-one", { contact_policy: "contacts_only" });
    await daemon.createAgent("picky", {
      inbox_rule: { allow_text: false, inline_schema: { type: "object" } },
    });
    for (const [body, code] of [
      [{ to: wire.to }, "VALIDATION_ERROR"],
      [{ to: "no-such-handle", text: "x" }, "NOT_FOUND"],
      [{ to: "shy-one", text: "x" }, "KNOCK_REQUIRED"],
      [{ to: "picky", text: "x" }, "POSTING_DENIED"],
      [{ to: "picky", payload: 1 }, "SCHEMA_VALIDATION_FAILED"],
    ] as const) {
      for (let n = 0; n < 3; n++) expectError(await alice.post("/wires", body), code);
    }
    expect((await alice.post("/wires", wire)).status).toBe(201);
    expectLimited(await alice.post("/wires", wire));
  });

  // [D4-stored-only] [D4-window]
  it("counts wires to spaces and handles together, including removed wires", async () => {
    const { alice, wire } = await limited("wires_per_minute=2");
    await alice.post("/spaces", { slug: "both", visibility: "public" });
    const sent = await alice.post("/wires", { to: "#both", text: "x" });
    await alice.post("/wires", wire);
    await alice.delete(`/wires/${sent.body.id}`);
    expectLimited(await alice.post("/wires", wire));
  });

  // [S8-wires-per-minute] [S8-wires-per-day] [D4-defaults]
  it("is 60 by default, with 2,000 per day", async () => {
    const { daemon, alice, wire } = await limited();
    const minute = await Promise.all(Array.from({ length: 61 }, () => alice.post("/wires", wire)));
    expect(minute.filter(({ status }) => status === 201)).toHaveLength(60);
    await withDatabase(daemon.dataDir, (db) =>
      db.run(
        `INSERT INTO wires (id, sender, sender_no, thread, created_at, doc)
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1939)
         SELECT 'made-' || i, w.sender, 60 + i, 1, w.last, '{}'
         FROM n, (SELECT sender, max(created_at) AS last FROM wires GROUP BY sender) w`,
      ),
    );
    await backdateRows(daemon, "wires", 3_600_000);
    expect((await alice.post("/wires", wire)).status).toBe(201);
    const wait = expectLimited(await alice.post("/wires", wire));
    expect(wait).toBeGreaterThan(82_000);
    expect(wait).toBeLessThanOrEqual(82_800);
  });

  // [D2-replay-wins]
  it("does not apply to a repeated request with an idempotency key", async () => {
    const { alice, wire } = await limited(...LOW_LIMITS);
    const key = { "Idempotency-Key": "k" };
    const first = await alice.post("/wires", wire, key);
    expectLimited(await alice.post("/wires", wire));
    expect((await alice.post("/wires", wire, key)).body).toEqual(first.body);
    expectLimited(await alice.post("/wires", wire, { "Idempotency-Key": "other" }));
  });

  // [D4-window]
  it("keeps its counts after a restart and after SIGKILL", async () => {
    const { daemon, alice, wire } = await limited(...LOW_LIMITS);
    await alice.post("/wires", wire);
    await daemon.kill();
    await daemon.restart();
    expectLimited(await alice.post("/wires", wire));
  });

  // [D4-settings] [D12-limit]
  it("rejects every wire if it is 0, without retry_after", async () => {
    const { alice, wire } = await limited(...NOTHING);
    expect(expectQuota(await alice.post("/wires", wire))).toBeUndefined();
  });
});

/** Expects a 429 response that waiting does not resolve. */
function expectQuota(reply: JsonResponse): unknown {
  expect(reply.headers.get("retry-after")).toBeNull();
  return expectError(reply, "RATE_LIMITED").retry_after;
}

describe("the limits of knocks, schemas and spaces", () => {
  // [D4-settings] [D6-repeated-201] [D4-stored-only]
  it("count knocks per hour, but a pending knock neither counts again nor is refused", async () => {
    const { daemon, alice, bob } = await limited(...LOW_LIMITS);
    for (const slug of ["carol", "dave-x"]) await daemon.createAgent(slug);
    const knock = (handle: string) => alice.post("/knocks", { handle, intro: "hi" });
    for (const handle of [bob.slug, bob.slug, bob.slug, "carol"])
      expect((await knock(handle)).status).toBe(201);
    expect([3_599, 3_600]).toContain(expectLimited(await knock("dave-x")));
    expect((await knock(bob.slug)).status).toBe(201);
    await backdateRows(daemon, "knocks", 3_600_000);
    expect((await knock("dave-x")).status).toBe(201);
  });

  // [D4-settings] [D4-stored-only]
  it("count schema registrations per hour, but not rejected ones", async () => {
    const { daemon, alice } = await limited(...LOW_LIMITS);
    const register = (json_schema: unknown) =>
      alice.post("/schemas", { subject: `@${alice.slug}/many`, json_schema });
    expectError(await register({ type: "nonsense" }), "VALIDATION_ERROR");
    for (const version of [1, 2]) expect((await register({ title: "x" })).body.version).toBe(version);
    expect([3_599, 3_600]).toContain(expectLimited(await register({})));
    expectError(await register({ type: "nonsense" }), "VALIDATION_ERROR");
    await backdateRows(daemon, "schemas", 3_600_000);
    expect((await register({})).body.version).toBe(3);
  });

  // [D4-window]
  it("store exactly two of twenty concurrent registrations", async () => {
    const { alice } = await limited(...LOW_LIMITS);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        alice.post("/schemas", { subject: `@${alice.slug}/many-${n}`, json_schema: {} }),
      ),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2);
  });

  // [D4-settings]
  it("count spaces per hour and handle", async () => {
    const { daemon, alice } = await limited(...LOW_LIMITS);
    const sister = await daemon.createAgent(`${alice.slug}-two`, {}, alice.slug);
    const create = (client: AgentClient, slug: string) =>
      client.post("/spaces", { slug, visibility: "public" });
    expect((await create(alice, "one-a")).status).toBe(201);
    expect([3_599, 3_600]).toContain(expectLimited(await create(alice, "two-a")));
    expect((await create(sister, "two-a")).status).toBe(201);
    await backdateRows(daemon, "spaces", 3_600_000);
    expect((await create(alice, "three")).status).toBe(201);
  });

  // [D4-quota] [S8-spaces-per-account]
  it("include a permanent quota of spaces for all handles of the account, without retry_after", async () => {
    const { daemon, alice, bob } = await limited("spaces_per_account=2", "spaces_per_hour=none");
    const sister = await daemon.createAgent(`${alice.slug}-two`, {}, alice.slug);
    const create = (client: AgentClient, slug: string) =>
      client.post("/spaces", { slug, visibility: "public" });
    expect((await create(alice, "one-a")).status).toBe(201);
    expect((await create(sister, "two-a")).status).toBe(201);
    await backdateRows(daemon, "spaces", 365 * 86_400_000);
    for (const client of [alice, sister]) expect(expectQuota(await create(client, "three"))).toBeUndefined();
    expect((await create(bob, "three")).status).toBe(201);
  });

  // [D4-quota]
  it("report the quota rather than the hourly limit if both are reached", async () => {
    const { alice } = await limited("spaces_per_account=1", "spaces_per_hour=1");
    await alice.post("/spaces", { slug: "one-a", visibility: "public" });
    const reply = await alice.post("/spaces", { slug: "two-a", visibility: "public" });
    expect(expectQuota(reply)).toBeUndefined();
  });
});

describe("the precedence of errors", () => {
  // [D4-refusal-order]
  it("is 401, then 400, then 429, then 404, 403 and 422", async () => {
    const { daemon, alice, bob } = await limited(...LOW_LIMITS);
    await bob.put("/profile", { inbox_rule: { allow_text: false, inline_schema: { type: "object" } } });
    await daemon.createAgent("shy-two", {
      contact_policy: "contacts_only",
      inbox_rule: { allow_text: false },
    });
    const hidden = { slug: "hidden", visibility: "private" };
    await bob.post("/spaces", hidden);
    expectError(await daemon.client().post("/wires", "not json"), "UNAUTHORIZED");
    expectError(await alice.post("/wires", { to: "shy-two", text: "x" }), "KNOCK_REQUIRED");
    expectError(await alice.post("/wires", { to: bob.slug, text: "x", payload: 1 }), "POSTING_DENIED");
    expectError(await alice.post("/wires", { to: bob.slug, payload: 1 }), "SCHEMA_VALIDATION_FAILED");
    const late = { to: "shy-two", text: "x", reply_to: "no-such-wire" };
    expectError(await alice.post("/wires", late), "NOT_FOUND");
    await alice.post("/wires", { to: alice.slug, text: "the only one" });
    expectError(await alice.post("/wires", { to: bob.slug, text: "" }), "VALIDATION_ERROR");
    const own = (await alice.get("/inbox")).body.wires[0].id;
    await alice.post("/spaces", { slug: "open-one", visibility: "public" });
    const mixed = { to: "#open-one", text: "x", reply_to: own };
    expectError(await alice.post("/wires", mixed), "VALIDATION_ERROR");
    for (const body of [
      { to: "no-such-handle", text: "x" },
      { to: "#hidden", text: "x" },
      late,
      { to: "shy-two", text: "x" },
      { to: bob.slug, text: "x" },
      { to: bob.slug, payload: 1 },
    ]) {
      expectLimited(await alice.post("/wires", body));
    }
  });

  // [D4-taken-order]
  it("of a new space is 429 before the 400 for a slug of another account", async () => {
    const { alice, bob } = await limited("spaces_per_hour=1");
    const create = (client: AgentClient, slug: string) =>
      client.post("/spaces", { slug, visibility: "private" });
    expect((await create(bob, `of-${bob.slug}`)).status).toBe(201);
    expectError(await create(alice, `of-${bob.slug}`), "VALIDATION_ERROR");
    expect((await create(alice, `of-${alice.slug}`)).status).toBe(201);
    const [taken, free] = [await create(alice, `of-${bob.slug}`), await create(alice, `free-${alice.slug}`)];
    for (const reply of [taken, free]) expectLimited(reply);
    expect(taken.body.message).toBe(free.body.message);
    expectError(await create(alice, `of-${alice.slug}`), "VALIDATION_ERROR");
    expectError(await create(alice, "my-wireroom"), "VALIDATION_ERROR");
  });

  // [D4-refusal-order]
  it("of a knock is 400, then 429, then 404 and 403", async () => {
    const { alice, bob } = await limited(...NOTHING);
    await alice.put(`/blocks/${bob.slug}`);
    const knock = (handle: string, intro = "hi") => bob.post("/knocks", { handle, intro });
    expectError(await knock(alice.slug, ""), "VALIDATION_ERROR");
    expectError(await knock(bob.slug), "VALIDATION_ERROR");
    expectError(await knock(alice.slug), "RATE_LIMITED");
    expectError(await knock("no-such-handle"), "RATE_LIMITED");
  });
});
