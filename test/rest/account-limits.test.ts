import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import { type AgentClient, type JsonResponse, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { withDatabase } from "../harness/database.js";
import { setEgressPolicy } from "../harness/egress.js";

const daemons: TestDaemon[] = [];
afterAll(() => Promise.all(daemons.map((daemon) => daemon.stop())));

const flags = (...limits: string[]) => limits.flatMap((limit) => ["--limit", limit]);

async function start(...limits: string[]): Promise<TestDaemon> {
  const daemon = await startDaemon({ isHosted: true, args: flags(...limits) });
  daemons.push(daemon);
  return daemon;
}

/** Creates handles of one account. */
function createHandles(daemon: TestDaemon, count: number, owner: string): Promise<AgentClient[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => daemon.createAgent(`${owner}-${n}`, {}, owner)));
}

const post = (from: AgentClient) => from.post("/wires", { to: from.slug, text: "x" });
const accepted = (replies: readonly JsonResponse[]) => replies.filter(({ status }) => status === 201);

/** Returns what `GET /limits` and the header of a refused post say of a limit. */
async function leftOf(agent: AgentClient, name: string): Promise<{ remaining: number; reset: number }> {
  const { limits } = await expectOk(agent.get("/limits"));
  return limits.find((limit: { name: string }) => limit.name === name);
}

function backdate(daemon: TestDaemon, table: string, ids: readonly string[], ms: number): Promise<number> {
  const column = table === "handles" ? "slug" : "id";
  return withDatabase(daemon.dataDir, (db) =>
    db.run(
      `UPDATE ${table} SET created_at = created_at - ? WHERE ${column} IN (${ids.map(() => "?").join(", ")})`,
      ms,
      ...ids,
    ),
  );
}

describe("the limits of an account", () => {
  // [D4-account-factor]
  it("hold for all its handles together, also concurrently", async () => {
    const daemon = await start("wires_per_minute=3", "account_factor=2");
    const handles = await createHandles(daemon, 5, "many");
    const other = await daemon.createAgent("other");
    const replies = await Promise.all(
      handles.flatMap((handle) => [post(handle), post(handle), post(handle)]),
    );
    expect(accepted(replies)).toHaveLength(6);
    for (const { body } of replies.filter(({ status }) => status !== 201)) {
      expect(body.code).toBe("RATE_LIMITED");
      expect(body.message).toMatch(/of (6 wires sent per account|3 wires sent per handle) in 60 seconds/);
      expect(body.retry_after).toBeGreaterThan(50);
    }
    const fresh = await daemon.createAgent("many-more", {}, "many");
    expect((await leftOf(fresh, "wires_per_minute")).remaining).toBe(0);
    const { headers, body } = await post(fresh);
    expect(body.message).toContain("the limit wires_per_minute of 6 wires sent per account in 60 seconds");
    expect(headers.get("ratelimit-policy")).toContain('"wires_per_minute";q=3;w=60');
    expect(headers.get("ratelimit")).toMatch(/"wires_per_minute";r=0;t=(60|59|58)/);
    // Another account, and the limit of the day, are not affected.
    await sendWire(other, other.slug);
    expect((await leftOf(fresh, "wires_per_day")).remaining).toBe(2_000);
  });

  // [D4-account-factor]
  it("show the smaller of what is left of handle and account", async () => {
    const daemon = await start("wires_per_minute=4", "account_factor=2");
    const [one, two, three] = (await createHandles(daemon, 3, "few")) as [
      AgentClient,
      AgentClient,
      AgentClient,
    ];
    for (let n = 0; n < 3; n++) {
      await sendWire(one, one.slug);
      await sendWire(two, two.slug);
    }
    // 8 - 6 of the account; 4 - 3 of the handles.
    expect((await leftOf(three, "wires_per_minute")).remaining).toBe(2);
    expect((await leftOf(one, "wires_per_minute")).remaining).toBe(1);
    expect((await post(three)).headers.get("ratelimit")).toContain('"wires_per_minute";r=1;');
  });

  // [D4-account-factor]
  it("count wires of retired handles and held ones", async () => {
    const daemon = await start("wires_per_minute=2", "account_factor=2");
    const [one, two, three] = (await createHandles(daemon, 3, "gone")) as [
      AgentClient,
      AgentClient,
      AgentClient,
    ];
    await setEgressPolicy(two, { mode: "approval" });
    for (let n = 0; n < 2; n++) {
      await sendWire(one, one.slug);
      await expectOk(two.post("/wires", { to: one.slug, text: "x" }), 202);
    }
    await expectOk(one.owner.delete(`/handles/${one.slug}`));
    expect((await expectRefused(post(three), "RATE_LIMITED")).retry_after).toBeGreaterThan(50);
    expect((await leftOf(three, "wires_per_minute")).remaining).toBe(0);
  });

  // [D4-account-factor] [D4-retry-after]
  it("have an exact retry_after, also after they were lowered", async () => {
    const args = flags("wires_per_minute=2", "account_factor=none");
    const daemon = await startDaemon({ isHosted: true, args });
    daemons.push(daemon);
    const handles = await createHandles(daemon, 4, "slow");
    const sent: string[] = [];
    for (const handle of handles.slice(0, 3))
      for (let n = 0; n < 2; n++) sent.push((await sendWire(handle, handle.slug)).id);
    // Their ages are 50 s, 40 s, 30 s, 20 s, 10 s and 0 s.
    for (const [n, id] of sent.entries()) await backdate(daemon, "wires", [id], (5 - n) * 10_000);
    args.splice(0, args.length, ...flags("wires_per_minute=2", "account_factor=2"));
    await daemon.restart();
    // Of six wires, three must be a minute old, because the limit is four.
    const { retry_after } = await expectRefused(post(handles[3]!), "RATE_LIMITED");
    expect(retry_after).toBeGreaterThan(20);
    expect(retry_after).toBeLessThanOrEqual(30);
    await backdate(daemon, "wires", sent.slice(0, 2), 60_000);
    expect((await expectRefused(post(handles[3]!), "RATE_LIMITED")).retry_after).toBeLessThanOrEqual(30);
    await backdate(daemon, "wires", sent.slice(2, 3), 60_000);
    await sendWire(handles[3]!, handles[3]!.slug);
  });

  // [D4-account-factor]
  it("hold for knocks, spaces and schemas", async () => {
    const limits = ["knocks_per_hour=2", "spaces_per_hour=2", "schemas_per_hour=2", "account_factor=2"];
    const daemon = await start(...limits);
    const handles = await createHandles(daemon, 4, "busy");
    const target = await daemon.createAgent("target");
    const kinds: ((handle: AgentClient, n: number) => Promise<JsonResponse>)[] = [
      (handle) => handle.post("/knocks", { handle: target.slug, intro: "hi" }),
      (handle, n) => handle.post("/spaces", { slug: `${handle.slug}-${n}`, visibility: "public" }),
      (handle, n) => handle.post("/schemas", { subject: `@${handle.slug}/s${n}`, json_schema: {} }),
    ];
    const counts = await Promise.all(
      kinds.map(async (call) => {
        const replies = await Promise.all(handles.flatMap((handle) => [call(handle, 0), call(handle, 1)]));
        for (const { status, body } of replies.filter((reply) => reply.status !== 201)) {
          expect(status).toBe(429);
          expect(body.retry_after).toBeGreaterThan(3_500);
        }
        return accepted(replies).length;
      }),
    );
    // A repeated knock to the same handle is the same knock, and no limit refuses it.
    expect(counts[0]).toBeGreaterThanOrEqual(4);
    expect(counts.slice(1)).toEqual([4, 4]);
    const knocks = await expectOk(target.get("/knocks?limit=100"));
    expect(knocks.knocks).toHaveLength(4);
  });

  // [D4-account-factor]
  it("are lifted with account_factor=none", async () => {
    const daemon = await start("wires_per_minute=1", "account_factor=none");
    const handles = await createHandles(daemon, 12, "free");
    expect(accepted(await Promise.all(handles.map(post)))).toHaveLength(12);
  });
});

describe("the limits on handles and keys", () => {
  // [D4-handles]
  it("allow so many live handles, also concurrently, and a retired one makes room", async () => {
    const daemon = await start("handles_per_account=3");
    const human = await daemon.humanClient("squatter");
    const create = (slug: string) => human.post("/handles", { slug });
    const replies = await Promise.all(Array.from({ length: 9 }, (_, n) => create(`squat-${n}`)));
    const made = accepted(replies);
    expect(made).toHaveLength(3);
    for (const { status, body } of replies.filter((reply) => reply.status !== 201)) {
      expect([status, body.code]).toEqual([403, "FORBIDDEN"]);
      expect(body.message).toContain("handles_per_account; retire one first");
      expect(body.retry_after).toBeUndefined();
    }
    await expectRefused(human.post("/handles", { slug: made[0]!.body.slug }), "VALIDATION_ERROR");
    await expectOk(human.delete(`/handles/${made[0]!.body.slug}`));
    await expectOk(create("squat-again"), 201);
    await expectRefused(create("squat-more"), "FORBIDDEN");
  });

  // [D4-handles]
  it("allow so many new handles in an hour, even if they are retired", async () => {
    const daemon = await start("handles_per_hour=2");
    const human = await daemon.humanClient("hasty");
    const create = (slug: string) => human.post("/handles", { slug });
    for (const slug of ["hasty-0", "hasty-1"]) {
      await expectOk(create(slug), 201);
      await expectOk(human.delete(`/handles/${slug}`));
    }
    const refused = await create("hasty-2");
    expect(refused).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect([3_599, 3_600]).toContain(refused.body.retry_after);
    expect(refused.headers.get("retry-after")).toBe(String(refused.body.retry_after));
    await backdate(daemon, "handles", ["hasty-0"], 3_599_000);
    expect((await expectRefused(create("hasty-2"), "FORBIDDEN")).retry_after).toBe(1);
    await sleep(1_000);
    await expectOk(create("hasty-2"), 201);
  });

  // [D4-handles]
  it("keep the handles that an account has already", async () => {
    const args = flags("handles_per_account=none", "wires_per_minute=none");
    const daemon = await startDaemon({ isHosted: true, args });
    daemons.push(daemon);
    const [one] = await createHandles(daemon, 3, "old");
    args.splice(0, args.length, ...flags("handles_per_account=2"));
    await daemon.restart();
    await sendWire(one!, "old-1");
    await expectRefused(one!.owner.post("/handles", { slug: "old-3" }), "FORBIDDEN");
  });

  // [D4-keys]
  it("allow so many live keys of a handle, also concurrently", async () => {
    const daemon = await start("keys_per_handle=3");
    const agent = await daemon.createAgent("keeper");
    const issue = (fields = {}) => agent.owner.post("/keys", { handle_id: agent.id, ...fields });
    const replies = await Promise.all(Array.from({ length: 6 }, () => issue()));
    expect(accepted(replies)).toHaveLength(2);
    const { message, retry_after } = await expectRefused(issue(), "FORBIDDEN");
    expect(message).toBe("@keeper has 3 live keys or more, the limit keys_per_handle; revoke one first");
    expect(retry_after).toBeUndefined();
    await expectOk(agent.owner.delete(`/keys/${accepted(replies)[0]!.body.id}`));
    // An expired key makes room, too.
    await expectOk(issue({ expires_at: new Date(Date.now() + 400).toISOString() }), 201);
    await expectRefused(issue(), "FORBIDDEN");
    await sleep(500);
    await expectOk(issue(), 201);
  });
});

describe("the limit of audited actions", () => {
  const change = (agent: AgentClient, n: number) =>
    agent.put("/profile", { contact_policy: n % 2 ? "open" : "contacts_only" });
  const entriesOf = async (agent: AgentClient, query: string) =>
    (await expectOk(agent.owner.get(`/audit?limit=100&${query}`))).entries;

  // [D4-audited]
  it("is one for all actions of a handle, and what is refused has not happened", async () => {
    const daemon = await start("audited_per_minute=4");
    const agent = await daemon.createAgent("noisy");
    await expectOk(agent.post("/spaces", { slug: "noisy", visibility: "private" }), 201);
    const retain = (retain_days: number) => agent.put("/spaces/noisy", { retain_days });
    for (const n of [0, 1]) await expectOk(change(agent, n));
    await expectOk(retain(1));
    await expectOk(retain(2));
    expect((await expectRefused(change(agent, 0), "RATE_LIMITED")).retry_after).toBeGreaterThan(50);
    const refused = await retain(3);
    expect(refused).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect(refused.body.message).toContain("the limit audited_per_minute of 4 audited actions per handle");
    expect(refused.headers.get("retry-after")).toBe(String(refused.body.retry_after));
    expect((await expectOk(agent.get("/spaces/noisy"))).retain_days).toBe(2);
    expect((await expectOk(agent.get("/profile"))).contact_policy).toBe("open");
    expect(await entriesOf(agent, "handle=noisy&action=policy.changed")).toHaveLength(2);
    // What is not audited goes on, and so do other handles of the account.
    await expectOk(agent.put("/profile", { bio: "still here" }));
    const sister = await daemon.createAgent("noisy-two", {}, "noisy");
    await expectOk(change(sister, 0));
  });

  // [D4-audited]
  it("holds for concurrent calls", async () => {
    const daemon = await start("audited_per_minute=5");
    const agent = await daemon.createAgent("quick");
    await expectOk(agent.post("/spaces", { slug: "quick", visibility: "private" }), 201);
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => agent.put("/spaces/quick", { retain_days: n + 1 })),
    );
    expect(await entriesOf(agent, "action=retention.changed")).toHaveLength(5);
  });

  // [D4-audited]
  it("counts knocks that a wire accepts", async () => {
    const daemon = await start("audited_per_minute=1");
    const [target, one, two] = (await Promise.all(
      ["target", "one-knocks", "two-knocks"].map((slug) => daemon.createAgent(slug)),
    )) as [AgentClient, AgentClient, AgentClient];
    for (const from of [one, two])
      await expectOk(from.post("/knocks", { handle: "@target", intro: "hi" }), 201);
    const replies = await Promise.all(
      [one, two].map(({ slug }) => target.post("/wires", { to: slug, text: "x" })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 429]);
    expect(await entriesOf(target, "action=knock.answered")).toHaveLength(1);
  });

  // [D4-audited]
  it("holds for repeatable actions of the human, but keys can be revoked", async () => {
    const daemon = await start("audited_per_minute=2", "account_factor=2");
    const agent = await daemon.createAgent("owned");
    const token = () => agent.owner.post("/handles/owned/token");
    // The key that was issued with the handle is the first of four.
    for (let n = 0; n < 3; n++) await expectOk(token(), 201);
    const { message, retry_after } = await expectRefused(token(), "FORBIDDEN");
    expect(message).toContain("the limit audited_per_minute of 4 audited actions per account in 60 seconds");
    expect(retry_after).toBeGreaterThan(50);
    await expectRefused(agent.owner.get("/export"), "FORBIDDEN");
    await expectOk(agent.owner.delete(`/keys/${agent.keyId}`));
  });
});
