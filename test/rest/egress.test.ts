import { describe, expect, it } from "vitest";
import { type AgentClient, startDaemon } from "../harness/daemon.js";
import { inDatabase } from "../harness/database.js";
import { approvalsOf, blockedIn, fileWithTargets, setEgress } from "../harness/egress.js";
import { befriend, createSpace, knock, ok, refused, send } from "../harness/talk.js";

const { daemon, bob, carol } = await fileWithTargets();
let handles = 0;

const newAgent = () => daemon.agent(`e-${handles++}`);
const policyOf = (agent: AgentClient) => ok(agent.owner.get(`/handles/${agent.slug}/egress`));
const put = (agent: AgentClient, body: unknown) => agent.owner.put(`/handles/${agent.slug}/egress`, body);
const wire = (from: AgentClient, to: string, fields = {}) =>
  from.post("/wires", { to, text: "hi", ...fields });
const blocked = (from: AgentClient, to: string, fields = {}) =>
  refused(wire(from, to, fields), "EGRESS_BLOCKED");

describe("the egress policy of a handle", () => {
  it("is open with empty lists by default [D9-egress-policy]", async () => {
    const agent = await newAgent();
    expect(await policyOf(agent)).toEqual({ mode: "open", allow: [], deny: [] });
    await send(agent, "@bob");
  });

  it("is set and read by its human, with @ or without [D9-egress-policy] [S1-humans-egress]", async () => {
    const agent = await newAgent();
    const policy = { mode: "approval", allow: ["#ops", "@bob"], deny: ["@carol"] };
    expect(await setEgress(agent, policy)).toEqual(policy);
    expect(await policyOf(agent)).toEqual(policy);
    expect(await ok(agent.owner.get(`/handles/@${agent.slug}/egress`))).toEqual(policy);
  });

  it("keeps what a change leaves out, and replaces a list as a whole [D9-egress-partial]", async () => {
    const agent = await newAgent();
    await setEgress(agent, { mode: "allowlist", allow: ["@bob", "@carol"], deny: ["#ops"] });
    expect(await setEgress(agent, { allow: ["@carol"] })).toEqual({
      mode: "allowlist",
      allow: ["@carol"],
      deny: ["#ops"],
    });
    expect(await setEgress(agent, {})).toEqual(await policyOf(agent));
    expect(await setEgress(agent, { mode: "open", allow: [], deny: [] })).toEqual({
      mode: "open",
      allow: [],
      deny: [],
    });
  });

  it("takes targets with their sign, each once, at most 1,000 a list, whether they exist or not [D9-egress-targets]", async () => {
    const agent = await newAgent();
    const many = Array.from({ length: 1_000 }, (_, n) => `@nobody-${String(n).padStart(4, "0")}`);
    expect((await setEgress(agent, { allow: many, deny: [...many, ...many].slice(0, 1_000) })).allow).toEqual(
      many,
    );
    expect((await setEgress(agent, { deny: ["#ops", "@bob", "#ops"] })).deny).toEqual(["#ops", "@bob"]);
    for (const deny of [[...many, "#one-more"], ["bob"], ["@"], ["@Bob"], ["#ops/x"], [7], "@bob", null]) {
      await refused(put(agent, { deny }), "VALIDATION_ERROR");
    }
    await refused(put(agent, { mode: "closed" }), "VALIDATION_ERROR");
    await refused(put(agent, { mode: null }), "VALIDATION_ERROR");
    await refused(put(agent, { modus: "open" }), "VALIDATION_ERROR");
    expect((await policyOf(agent)).deny).toEqual(["#ops", "@bob"]);
  });

  it("changes single targets: onto one list and off the other, or off both [D9-egress-single]", async () => {
    const agent = await newAgent();
    await setEgress(agent, { mode: "allowlist", allow: ["@bob", "@carol"], deny: ["#ops"] });
    const change = async (changes: Record<string, unknown>) => {
      const { mode, allow, deny } = await setEgress(agent, changes);
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
    // Named more than once: forget wins over also_deny, and that over also_allow. A list that is given comes first.
    const all = ["@one", "@two", "@three"];
    expect(await change({ also_allow: all, also_deny: all.slice(1), forget: ["@three"], allow: [] })).toEqual(
      ["open", ["@one"], ["@bob", "@two"]],
    );
    await refused(put(agent, { forget: ["bob"] }), "VALIDATION_ERROR");
  });

  it("logs no change of single targets that changes nothing, and lets no list grow beyond 1,000 [D9-egress-single] [D9-egress-targets]", async () => {
    const agent = await newAgent();
    const many = Array.from({ length: 1_000 }, (_, n) => `@nobody-${n}`);
    await setEgress(agent, { allow: many });
    const before = await policyOf(agent);
    expect(await setEgress(agent, { also_allow: ["@nobody-7"], forget: ["@bob"] })).toEqual(before);
    await refused(put(agent, { also_allow: ["@bob"] }), "VALIDATION_ERROR");
    expect(await policyOf(agent)).toEqual(before);
    const { entries } = await ok(agent.owner.get(`/audit?action=egress.changed&handle=${agent.slug}`));
    expect(entries).toHaveLength(1);
    expect(await setEgress(agent, { also_allow: ["@bob"], forget: ["@nobody-7"] })).toMatchObject({
      allow: expect.arrayContaining(["@bob"]),
    });
  });

  it("keeps all of many changes of single targets at the same time [D9-egress-single]", async () => {
    const agent = await newAgent();
    const targets = Array.from({ length: 20 }, (_, n) => `@at-once-${n}`);
    await Promise.all(
      targets.map((target, n) => setEgress(agent, { [n % 2 ? "also_allow" : "also_deny"]: [target] })),
    );
    const { allow, deny } = await policyOf(agent);
    expect([...allow, ...deny].sort()).toEqual([...targets].sort());
  });

  it("is no business of other accounts, nor of agents [D9-egress-owner] [S1-humans-egress]", async () => {
    for (const human of [carol.owner, daemon.client(bob.key), daemon.client()]) {
      await refused(human.get("/handles/bob/egress"), "FORBIDDEN");
      await refused(human.put("/handles/bob/egress", { mode: "open" }), "FORBIDDEN");
    }
    await refused(carol.owner.get("/handles/no-such-handle/egress"), "NOT_FOUND");
    await refused(carol.owner.put("/handles/no-such-handle/egress", {}), "NOT_FOUND");
  });

  it("leaves its changes in the audit log [D9-egress-changed]", async () => {
    const agent = await newAgent();
    await setEgress(agent, { mode: "allowlist" });
    await setEgress(agent, {});
    const { entries } = await ok(agent.owner.get("/audit?action=egress.changed"));
    expect(entries).toMatchObject([
      { actor: "human", subject: `@${agent.slug}`, handle: agent.slug, outcome: "ok" },
    ]);
  });
});

describe("what a policy lets pass", () => {
  it("under open is all but deny [D9-egress-deny] [D4-egress-blocked]", async () => {
    const agent = await newAgent();
    await setEgress(agent, { deny: ["@bob", "#ops"], allow: ["@bob"] });
    await blocked(agent, "@bob");
    await blocked(agent, "#ops");
    await send(agent, "@carol");
  });

  it("under allowlist is what is on allow, unless denied [D9-egress-allowlist] [D9-egress-deny]", async () => {
    const agent = await newAgent();
    await setEgress(agent, { mode: "allowlist", allow: ["@bob", "#ops"], deny: ["#ops"] });
    await send(agent, "bob");
    await blocked(agent, "@carol");
    await blocked(agent, "#ops");
    await setEgress(agent, { deny: [] });
    await send(agent, "#ops");
  });

  it("is told for wires, posts and knocks alike, replies to those who wrote first included [D9-egress-checked]", async () => {
    const agent = await newAgent();
    const question = await send(bob, agent.slug);
    await setEgress(agent, { mode: "allowlist" });
    await blocked(agent, "@bob", { reply_to: question.id });
    await refused(agent.post("/knocks", { handle: "bob", intro: "hi" }), "EGRESS_BLOCKED");
    const root = await send(bob, "#ops");
    await blocked(agent, "#ops", { reply_to: root.id });
  });

  it("tells a space and a handle of one name apart [D9-egress-checked]", async () => {
    const agent = await newAgent();
    await createSpace(bob, "bob");
    await setEgress(agent, { mode: "allowlist", allow: ["#bob"] });
    await send(agent, "#bob");
    await blocked(agent, "@bob");
  });

  it("is always a note to oneself, but not a sibling of the same account [D9-egress-note]", async () => {
    const agent = await newAgent();
    const sibling = await daemon.agent(`e-${handles++}`, {}, agent.slug);
    await setEgress(agent, { mode: "allowlist", deny: [`@${agent.slug}`] });
    await send(agent, agent.slug);
    await blocked(agent, sibling.slug);
    await setEgress(agent, { mode: "approval" });
    expect((await wire(agent, sibling.slug)).status).toBe(202);
  });

  it("is no matter of votes, answers to knocks, members, deletions and reading [D9-egress-checked]", async () => {
    const agent = await newAgent();
    const rule = { allow_text: true, votable: true };
    await createSpace(bob, "votes", { root_rule: rule });
    const [post, own] = [await send(bob, "#votes"), await send(agent, "@bob")];
    const id = await knock(bob, agent.slug);
    await setEgress(agent, { mode: "allowlist", deny: ["@bob", "#votes"] });
    await ok(agent.put(`/wires/${post.id}/vote`));
    await ok(agent.put(`/knocks/${id}`, { status: "accepted" }));
    await ok(agent.delete(`/wires/${own.id}`));
    await createSpace(agent, `room-${agent.slug}`);
    const members = [{ handle: "bob", role: "poster" }];
    await ok(agent.put(`/spaces/room-${agent.slug}`, { members }));
    await ok(agent.get("/spaces/votes/wires"));
  });
});

describe("what is blocked", () => {
  it("is not stored and reaches nobody [D9-egress-no-trace] [D4-egress-blocked]", async () => {
    const agent = await newAgent();
    const target = await newAgent();
    await setEgress(agent, { mode: "allowlist" });
    await blocked(agent, target.slug, { text: "never to be found" });
    await refused(agent.post("/knocks", { handle: target.slug, intro: "never" }), "EGRESS_BLOCKED");
    expect(await ok(target.get("/inbox"))).toMatchObject({ wires: [], knocks: [] });
    expect(await approvalsOf(agent)).toEqual([]);
    expect((await ok(agent.get("/knocks?direction=sent"))).knocks).toEqual([]);
    const rows = await inDatabase(daemon.dataDir, (db) =>
      db.all("SELECT pk FROM wires WHERE sender = (SELECT pk FROM handles WHERE slug = ?)", agent.slug),
    );
    expect(rows).toEqual([]);
  });

  it("does not make the sender a contact of the knocker that it meant to answer [D9-egress-no-trace]", async () => {
    const [agent, knocker] = [await newAgent(), await newAgent()];
    await knock(knocker, agent.slug);
    await setEgress(agent, { mode: "allowlist" });
    await blocked(agent, knocker.slug);
    expect((await ok(agent.get("/knocks"))).knocks).toMatchObject([{ status: "pending" }]);
    expect((await ok(agent.get("/contacts"))).contacts).toEqual([]);
  });

  it("is in the audit log, as the request's, without a word of it [D9-egress-audit]", async () => {
    const agent = await newAgent();
    await setEgress(agent, { deny: ["@bob", "#ops"] });
    const replies = [
      await wire(agent, "@bob", { text: "a secret" }),
      await wire(agent, "#ops", { text: "a secret" }),
      await agent.post("/knocks", { handle: "bob", intro: "a secret" }),
    ];
    const entries = await blockedIn(agent);
    expect(entries.reverse()).toEqual(
      ["@bob", "#ops", "@bob"].map((subject, n) => ({
        id: expect.any(String),
        at: expect.any(String),
        actor: `@${agent.slug}`,
        handle: agent.slug,
        action: "egress.blocked",
        subject,
        outcome: "EGRESS_BLOCKED",
        request_id: replies[n]!.headers.get("x-request-id"),
      })),
    );
    expect(JSON.stringify(entries)).not.toContain("secret");
  });

  it("is there once, however often the request is repeated under its idempotency key [D9-egress-audit]", async () => {
    const agent = await newAgent();
    await setEgress(agent, { deny: ["@bob"] });
    const key = { "Idempotency-Key": "again" };
    const sendAgain = () => agent.post("/wires", { to: "bob", text: "x" }, key);
    const knockAgain = () => agent.post("/knocks", { handle: "bob", intro: "x" }, key);
    for (const again of [sendAgain, knockAgain]) {
      const replies = await Promise.all(Array.from({ length: 10 }, again));
      replies.push(await again());
      expect(replies.map(({ body }) => body.code)).toEqual(Array(11).fill("EGRESS_BLOCKED"));
    }
    expect(await blockedIn(agent)).toHaveLength(2);
    // Another request is another attempt, and so is the same one without a key.
    await refused(agent.post("/wires", { to: "bob", text: "y" }, key), "EGRESS_BLOCKED");
    await blocked(agent, "bob");
    await blocked(agent, "bob");
    expect(await blockedIn(agent)).toHaveLength(5);
    // A refusal does not use the key up.
    await setEgress(agent, { deny: [] });
    await ok(sendAgain(), 201);
  });

  it("is there for each of many at once, beside those that pass [D9-egress-audit] [D9-egress-no-trace]", async () => {
    const agent = await newAgent();
    await setEgress(agent, { deny: ["@bob"] });
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) => wire(agent, n % 2 ? "@bob" : "@carol", { text: `n ${n}` })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(30);
    expect((await ok(agent.owner.get("/audit?action=egress.blocked&limit=100"))).entries).toHaveLength(30);
  });
});

describe("where EGRESS_BLOCKED stands among the refusals", () => {
  it("is after 400 and 404, before KNOCK_REQUIRED, POSTING_DENIED and 422 [D4-refusal-order]", async () => {
    const agent = await newAgent();
    await setEgress(agent, { mode: "allowlist" });
    const inbox_rule = { allow_text: false, inline_schema: { type: "object", required: ["n"] } };
    const shut = await daemon.agent(`e-${handles++}`, { contact_policy: "contacts_only", inbox_rule });
    await createSpace(bob, "shut", { posting_rights: "mods", root_rule: inbox_rule });
    await createSpace(bob, "shut-private", { visibility: "private" });
    const before = await blockedIn(agent);
    await refused(agent.post("/wires", { to: shut.slug }), "VALIDATION_ERROR");
    await refused(wire(agent, "no-such-handle"), "NOT_FOUND");
    await refused(wire(agent, "#shut-private"), "NOT_FOUND");
    await refused(wire(agent, shut.slug, { reply_to: "nothing" }), "NOT_FOUND");
    await refused(agent.post("/knocks", { handle: "no-such-handle", intro: "x" }), "NOT_FOUND");
    await refused(agent.post("/knocks", { handle: agent.slug, intro: "x" }), "VALIDATION_ERROR");
    expect(await blockedIn(agent)).toEqual(before);
    await blocked(agent, shut.slug);
    await blocked(agent, "#shut");
    await refused(agent.post("/wires", { to: "#shut", payload: {} }), "EGRESS_BLOCKED");
    await ok(shut.put(`/blocks/${agent.slug}`));
    await refused(agent.post("/knocks", { handle: shut.slug, intro: "x" }), "EGRESS_BLOCKED");
  });

  it("is after 400 for a contact that is knocked [D4-refusal-order]", async () => {
    const agent = await newAgent();
    await befriend(agent, carol);
    await setEgress(agent, { mode: "allowlist" });
    await refused(agent.post("/knocks", { handle: "carol", intro: "x" }), "VALIDATION_ERROR");
  });

  it("is after 429, and what is limited is not in the log [D4-refusal-order]", async () => {
    const limits = ["--limit", "wires_per_minute=1", "--limit", "knocks_per_hour=1"];
    const own = await startDaemon({ args: limits });
    try {
      const [agent, other] = [await own.agent("agent"), await own.agent("other")];
      await own.agent("third");
      await setEgress(agent, { deny: ["@other"] });
      for (let n = 0; n < 3; n++) await blocked(agent, other.slug);
      await send(agent, "third");
      await knock(agent, "third");
      await refused(wire(agent, other.slug), "RATE_LIMITED");
      await refused(agent.post("/knocks", { handle: "other", intro: "x" }), "RATE_LIMITED");
      expect(await blockedIn(agent)).toHaveLength(3);
    } finally {
      await own.stop();
    }
  });
});
