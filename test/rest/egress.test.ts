import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  makeContacts,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import { type AgentClient, startDaemon } from "../harness/daemon.js";
import { withDatabase } from "../harness/database.js";
import { egressFixture, listApprovals, listBlockedAttempts, setEgressPolicy } from "../harness/egress.js";

const { daemon, bob, carol } = await egressFixture();
let handles = 0;

const newAgent = () => daemon.createAgent(`e-${handles++}`);
const policyOf = (agent: AgentClient) => expectOk(agent.owner.get(`/handles/${agent.slug}/egress`));
const put = (agent: AgentClient, body: unknown) => agent.owner.put(`/handles/${agent.slug}/egress`, body);
const wire = (from: AgentClient, to: string, fields = {}) =>
  from.post("/wires", { to, text: "hi", ...fields });
const expectBlocked = (from: AgentClient, to: string, fields = {}) =>
  expectRefused(wire(from, to, fields), "EGRESS_BLOCKED");

describe("the egress policy of a handle", () => {
  // [D9-egress-policy]
  it("has mode open and empty lists by default", async () => {
    const agent = await newAgent();
    expect(await policyOf(agent)).toEqual({ mode: "open", allow: [], deny: [], publish: true });
    await sendWire(agent, "@bob");
  });

  // [D9-egress-policy] [S1-humans-egress]
  it("is set and read by its human, with or without @", async () => {
    const agent = await newAgent();
    const policy = { mode: "approval", allow: ["#ops", "@bob"], deny: ["@carol"], publish: false };
    expect(await setEgressPolicy(agent, policy)).toEqual(policy);
    expect(await policyOf(agent)).toEqual(policy);
    expect(await expectOk(agent.owner.get(`/handles/@${agent.slug}/egress`))).toEqual(policy);
  });

  // [D9-egress-partial]
  it("keeps fields that a change omits, and replaces a list as a whole", async () => {
    const agent = await newAgent();
    await setEgressPolicy(agent, { mode: "allowlist", allow: ["@bob", "@carol"], deny: ["#ops"] });
    expect(await setEgressPolicy(agent, { allow: ["@carol"] })).toEqual({
      mode: "allowlist",
      allow: ["@carol"],
      deny: ["#ops"],
      publish: true,
    });
    expect(await setEgressPolicy(agent, {})).toEqual(await policyOf(agent));
    expect(await setEgressPolicy(agent, { mode: "open", allow: [], deny: [] })).toEqual({
      mode: "open",
      allow: [],
      deny: [],
      publish: true,
    });
  });

  // [D9-egress-targets]
  it("accepts up to 1,000 distinct targets with prefixes in each list, whether they exist or not", async () => {
    const agent = await newAgent();
    const many = Array.from({ length: 1_000 }, (_, n) => `@nobody-${String(n).padStart(4, "0")}`);
    expect(
      (await setEgressPolicy(agent, { allow: many, deny: [...many, ...many].slice(0, 1_000) })).allow,
    ).toEqual(many);
    expect((await setEgressPolicy(agent, { deny: ["#ops", "@bob", "#ops"] })).deny).toEqual(["#ops", "@bob"]);
    for (const deny of [[...many, "#one-more"], ["bob"], ["@"], ["@Bob"], ["#ops/x"], [7], "@bob", null]) {
      await expectRefused(put(agent, { deny }), "VALIDATION_ERROR");
    }
    await expectRefused(put(agent, { mode: "closed" }), "VALIDATION_ERROR");
    await expectRefused(put(agent, { mode: null }), "VALIDATION_ERROR");
    await expectRefused(put(agent, { modus: "open" }), "VALIDATION_ERROR");
    expect((await policyOf(agent)).deny).toEqual(["#ops", "@bob"]);
  });

  // [D9-egress-single]
  it("moves single targets between the lists, or removes them from both", async () => {
    const agent = await newAgent();
    await setEgressPolicy(agent, { mode: "allowlist", allow: ["@bob", "@carol"], deny: ["#ops"] });
    const change = async (changes: Record<string, unknown>) => {
      const { mode, allow, deny } = await setEgressPolicy(agent, changes);
      return [mode, allow, deny];
    };
    expect(await change({ also_allow: ["#ops", "@dave", "@dave", "@bob"] })).toEqual([
      "allowlist",
      ["#ops", "@bob", "@carol", "@dave"],
      [],
    ]);
    expect(await change({ also_deny: ["@bob"], forget: ["@carol", "@nobody"], mode: "open" })).toEqual([
      "open",
      ["#ops", "@dave"],
      ["@bob"],
    ]);
    // For a target named in several fields, forget overrides also_deny, which overrides also_allow. A
    // complete list is applied first.
    const all = ["@one", "@two", "@three"];
    expect(await change({ also_allow: all, also_deny: all.slice(1), forget: ["@three"], allow: [] })).toEqual(
      ["open", ["@one"], ["@bob", "@two"]],
    );
    await expectRefused(put(agent, { forget: ["bob"] }), "VALIDATION_ERROR");
  });

  // [D9-egress-single] [D9-egress-targets]
  it("logs no change of single targets without effect, and limits each list to 1,000", async () => {
    const agent = await newAgent();
    const many = Array.from({ length: 1_000 }, (_, n) => `@nobody-${n}`);
    await setEgressPolicy(agent, { allow: many });
    const before = await policyOf(agent);
    expect(await setEgressPolicy(agent, { also_allow: ["@nobody-7"], forget: ["@bob"] })).toEqual(before);
    await expectRefused(put(agent, { also_allow: ["@bob"] }), "VALIDATION_ERROR");
    expect(await policyOf(agent)).toEqual(before);
    const { entries } = await expectOk(agent.owner.get(`/audit?action=egress.changed&handle=${agent.slug}`));
    expect(entries).toHaveLength(1);
    expect(await setEgressPolicy(agent, { also_allow: ["@bob"], forget: ["@nobody-7"] })).toMatchObject({
      allow: expect.arrayContaining(["@bob"]),
    });
  });

  // [D9-egress-single]
  it("applies every one of many concurrent changes of single targets", async () => {
    const agent = await newAgent();
    const targets = Array.from({ length: 20 }, (_, n) => `@at-once-${n}`);
    await Promise.all(
      targets.map((target, n) => setEgressPolicy(agent, { [n % 2 ? "also_allow" : "also_deny"]: [target] })),
    );
    const { allow, deny } = await policyOf(agent);
    expect([...allow, ...deny].sort()).toEqual([...targets].sort());
  });

  // [D9-egress-owner] [S1-humans-egress]
  it("is not accessible to other accounts or to agents", async () => {
    for (const human of [carol.owner, daemon.client(bob.key), daemon.client()]) {
      await expectRefused(human.get("/handles/bob/egress"), "FORBIDDEN");
      await expectRefused(human.put("/handles/bob/egress", { mode: "open" }), "FORBIDDEN");
    }
    await expectRefused(carol.owner.get("/handles/no-such-handle/egress"), "NOT_FOUND");
    await expectRefused(carol.owner.put("/handles/no-such-handle/egress", {}), "NOT_FOUND");
  });

  // [D9-egress-changed]
  it("is logged in the audit log when it changes", async () => {
    const agent = await newAgent();
    await setEgressPolicy(agent, { mode: "allowlist", allow: ["@bob", "#ops"] });
    await setEgressPolicy(agent, {});
    await setEgressPolicy(agent, { publish: false, also_deny: ["@bob"] });
    const many = Array.from({ length: 12 }, (_, n) => `@nobody-${n}`);
    await setEgressPolicy(agent, { deny: many });
    const { entries } = await expectOk(agent.owner.get("/audit?action=egress.changed"));
    const entry = { actor: "human", subject: `@${agent.slug}`, handle: agent.slug, outcome: "ok" };
    expect(entries).toMatchObject([
      { ...entry, detail: expect.stringMatching(/^deny:( \+@nobody-\d+){10} and 3 more$/) },
      { ...entry, detail: "allow: -@bob, deny: +@bob, publish: true -> false" },
      { ...entry, detail: "mode: open -> allowlist, allow: +#ops +@bob" },
    ]);
  });
});

describe("the decision of an egress policy", () => {
  // [D9-egress-deny] [D4-egress-blocked]
  it("in open mode allows every target except those on the deny list", async () => {
    const agent = await newAgent();
    await setEgressPolicy(agent, { deny: ["@bob", "#ops"], allow: ["@bob"] });
    await expectBlocked(agent, "@bob");
    await expectBlocked(agent, "#ops");
    await sendWire(agent, "@carol");
  });

  // [D9-egress-allowlist] [D9-egress-deny]
  it("in allowlist mode allows only the targets on the allow list that are not denied", async () => {
    const agent = await newAgent();
    await setEgressPolicy(agent, { mode: "allowlist", allow: ["@bob", "#ops"], deny: ["#ops"] });
    await sendWire(agent, "bob");
    await expectBlocked(agent, "@carol");
    await expectBlocked(agent, "#ops");
    await setEgressPolicy(agent, { deny: [] });
    await sendWire(agent, "#ops");
  });

  // [D9-egress-checked]
  it("applies equally to wires, posts, knocks and replies", async () => {
    const agent = await newAgent();
    const question = await sendWire(bob, agent.slug);
    await setEgressPolicy(agent, { mode: "allowlist" });
    await expectBlocked(agent, "@bob", { reply_to: question.id });
    await expectRefused(agent.post("/knocks", { handle: "bob", intro: "hi" }), "EGRESS_BLOCKED");
    const root = await sendWire(bob, "#ops");
    await expectBlocked(agent, "#ops", { reply_to: root.id });
  });

  // [D9-egress-checked]
  it("distinguishes a space from a handle with the same name", async () => {
    const agent = await newAgent();
    await createSpace(bob, "bob");
    await setEgressPolicy(agent, { mode: "allowlist", allow: ["#bob"] });
    await sendWire(agent, "#bob");
    await expectBlocked(agent, "@bob");
  });

  // [D9-egress-note]
  it("always allows a wire to oneself, but not to another handle of the account", async () => {
    const agent = await newAgent();
    const sibling = await daemon.createAgent(`e-${handles++}`, {}, agent.slug);
    await setEgressPolicy(agent, { mode: "allowlist", deny: [`@${agent.slug}`] });
    await sendWire(agent, agent.slug);
    await expectBlocked(agent, sibling.slug);
    await setEgressPolicy(agent, { mode: "approval" });
    expect((await wire(agent, sibling.slug)).status).toBe(202);
  });

  // [D9-egress-checked]
  it("does not apply to votes, decisions on knocks, members, removals and reads", async () => {
    const agent = await newAgent();
    const rule = { allow_text: true, votable: true };
    await createSpace(bob, "votes", { root_rule: rule });
    const [post, own] = [await sendWire(bob, "#votes"), await sendWire(agent, "@bob")];
    const id = await sendKnock(bob, agent.slug);
    await setEgressPolicy(agent, { mode: "allowlist", deny: ["@bob", "#votes"] });
    await expectOk(agent.put(`/wires/${post.id}/vote`));
    await expectOk(agent.put(`/knocks/${id}`, { status: "accepted" }));
    await expectOk(agent.delete(`/wires/${own.id}`));
    await createSpace(agent, `room-${agent.slug}`);
    const members = [{ handle: "bob", role: "poster" }];
    await expectOk(agent.put(`/spaces/room-${agent.slug}`, { members }));
    await expectOk(agent.get("/spaces/votes/wires"));
  });
});

describe("a blocked wire or knock", () => {
  // [D9-egress-no-trace] [D4-egress-blocked]
  it("is not stored and not delivered", async () => {
    const agent = await newAgent();
    const target = await newAgent();
    await setEgressPolicy(agent, { mode: "allowlist" });
    await expectBlocked(agent, target.slug, { text: "never to be found" });
    await expectRefused(agent.post("/knocks", { handle: target.slug, intro: "never" }), "EGRESS_BLOCKED");
    expect(await expectOk(target.get("/inbox"))).toMatchObject({ wires: [], knocks: [] });
    expect(await listApprovals(agent)).toEqual([]);
    expect((await expectOk(agent.get("/knocks?direction=sent"))).knocks).toEqual([]);
    const rows = await withDatabase(daemon.dataDir, (db) =>
      db.all("SELECT pk FROM wires WHERE sender = (SELECT pk FROM handles WHERE slug = ?)", agent.slug),
    );
    expect(rows).toEqual([]);
  });

  // [D9-egress-no-trace]
  it("does not make the sender a contact of the handle whose knock it answers", async () => {
    const [agent, knocker] = [await newAgent(), await newAgent()];
    await sendKnock(knocker, agent.slug);
    await setEgressPolicy(agent, { mode: "allowlist" });
    await expectBlocked(agent, knocker.slug);
    expect((await expectOk(agent.get("/knocks"))).knocks).toMatchObject([{ status: "pending" }]);
    expect((await expectOk(agent.get("/contacts"))).contacts).toEqual([]);
  });

  // [D9-egress-audit]
  it("is logged in the audit log with its request id and without its text", async () => {
    const agent = await newAgent();
    await setEgressPolicy(agent, { deny: ["@bob", "#ops"] });
    const replies = [
      await wire(agent, "@bob", { text: "a secret" }),
      await wire(agent, "#ops", { text: "a secret" }),
      await agent.post("/knocks", { handle: "bob", intro: "a secret" }),
    ];
    const entries = await listBlockedAttempts(agent);
    expect(entries.reverse()).toEqual(
      ["@bob", "#ops", "@bob"].map((subject, n) => ({
        id: expect.any(String),
        at: expect.any(String),
        actor: `@${agent.slug}`,
        handle: agent.slug,
        action: "egress.blocked",
        subject,
        outcome: "EGRESS_BLOCKED",
        reason: null,
        detail: null,
        request_id: replies[n]!.headers.get("x-request-id"),
      })),
    );
    expect(JSON.stringify(entries)).not.toContain("secret");
  });

  // [D9-egress-audit]
  it("is logged once, even if the request is repeated with its idempotency key", async () => {
    const agent = await newAgent();
    await setEgressPolicy(agent, { deny: ["@bob"] });
    const key = { "Idempotency-Key": "again" };
    const sendAgain = () => agent.post("/wires", { to: "bob", text: "x" }, key);
    const knockAgain = () => agent.post("/knocks", { handle: "bob", intro: "x" }, key);
    for (const again of [sendAgain, knockAgain]) {
      const replies = await Promise.all(Array.from({ length: 10 }, again));
      replies.push(await again());
      expect(replies.map(({ body }) => body.code)).toEqual(Array(11).fill("EGRESS_BLOCKED"));
    }
    expect(await listBlockedAttempts(agent)).toHaveLength(2);
    // A request with another key, or without a key, is another attempt.
    await expectRefused(agent.post("/wires", { to: "bob", text: "y" }, key), "EGRESS_BLOCKED");
    await expectBlocked(agent, "bob");
    await expectBlocked(agent, "bob");
    expect(await listBlockedAttempts(agent)).toHaveLength(5);
    // The rejected request did not use up its key.
    await setEgressPolicy(agent, { deny: [] });
    await expectOk(sendAgain(), 201);
  });

  // [D9-egress-audit] [D9-egress-no-trace] [D4-audited]
  it("is logged once for each of many concurrent requests, while allowed ones pass", async () => {
    const agent = await newAgent();
    await setEgressPolicy(agent, { deny: ["@bob"] });
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) => wire(agent, n % 2 ? "@bob" : "@carol", { text: `n ${n}` })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(30);
    expect((await expectOk(agent.owner.get("/audit?action=egress.blocked&limit=100"))).entries).toHaveLength(
      30,
    );
    // An agent cannot fill the log: at most 60 requests are logged in a minute, and others are refused as too
    // many.
    const more = await Promise.all(
      Array.from({ length: 40 }, (_, n) => wire(agent, "@bob", { text: `more ${n}` })),
    );
    expect(more.filter(({ status }) => status === 403)).toHaveLength(30);
    expect((await expectRefused(wire(agent, "@bob"), "RATE_LIMITED")).message).toContain(
      "audited_per_minute",
    );
    expect((await expectOk(agent.owner.get("/audit?action=egress.blocked&limit=100"))).entries).toHaveLength(
      60,
    );
  });
});

describe("the precedence of EGRESS_BLOCKED among the errors", () => {
  // [D4-refusal-order]
  it("is after 400 and 404, and before KNOCK_REQUIRED, POSTING_DENIED and 422", async () => {
    const agent = await newAgent();
    await setEgressPolicy(agent, { mode: "allowlist" });
    const inbox_rule = { allow_text: false, inline_schema: { type: "object", required: ["n"] } };
    const shut = await daemon.createAgent(`e-${handles++}`, { contact_policy: "contacts_only", inbox_rule });
    await createSpace(bob, "shut", { posting_rights: "mods", root_rule: inbox_rule });
    await createSpace(bob, "shut-private", { visibility: "private" });
    const before = await listBlockedAttempts(agent);
    await expectRefused(agent.post("/wires", { to: shut.slug }), "VALIDATION_ERROR");
    await expectRefused(wire(agent, "no-such-handle"), "NOT_FOUND");
    await expectRefused(wire(agent, "#shut-private"), "NOT_FOUND");
    await expectRefused(wire(agent, shut.slug, { reply_to: "nothing" }), "NOT_FOUND");
    await expectRefused(agent.post("/knocks", { handle: "no-such-handle", intro: "x" }), "NOT_FOUND");
    await expectRefused(agent.post("/knocks", { handle: agent.slug, intro: "x" }), "VALIDATION_ERROR");
    expect(await listBlockedAttempts(agent)).toEqual(before);
    await expectBlocked(agent, shut.slug);
    await expectBlocked(agent, "#shut");
    await expectRefused(agent.post("/wires", { to: "#shut", payload: {} }), "EGRESS_BLOCKED");
    await expectOk(shut.put(`/blocks/${agent.slug}`));
    await expectRefused(agent.post("/knocks", { handle: shut.slug, intro: "x" }), "EGRESS_BLOCKED");
  });

  // [D4-refusal-order]
  it("is after the 400 for a knock to a contact", async () => {
    const agent = await newAgent();
    await makeContacts(agent, carol);
    await setEgressPolicy(agent, { mode: "allowlist" });
    await expectRefused(agent.post("/knocks", { handle: "carol", intro: "x" }), "VALIDATION_ERROR");
  });

  // [D4-refusal-order]
  it("is after 429: a rate-limited request is not logged", async () => {
    const limits = ["--limit", "wires_per_minute=1", "--limit", "knocks_per_hour=1"];
    const own = await startDaemon({ isHosted: true, args: limits });
    try {
      const [agent, other] = [await own.createAgent("agent"), await own.createAgent("other")];
      await own.createAgent("third");
      await setEgressPolicy(agent, { deny: ["@other"] });
      for (let n = 0; n < 3; n++) await expectBlocked(agent, other.slug);
      await sendWire(agent, "third");
      await sendKnock(agent, "third");
      await expectRefused(wire(agent, other.slug), "RATE_LIMITED");
      await expectRefused(agent.post("/knocks", { handle: "other", intro: "x" }), "RATE_LIMITED");
      expect(await listBlockedAttempts(agent)).toHaveLength(3);
    } finally {
      await own.stop();
    }
  });
});
