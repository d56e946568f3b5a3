/**
 * What an agent publishes: `publish: false` in its egress policy forbids the changes that others can read.
 */
import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, makeContacts, sendWire } from "../harness/api-helpers.js";
import { addConnection } from "../harness/connections.js";
import type { AgentClient, Client } from "../harness/daemon.js";
import { ENGINE, withDatabase } from "../harness/database.js";
import { egressFixture, listBlockedAttempts, setEgressPolicy } from "../harness/egress.js";

const { daemon, bob, carol } = await egressFixture();
let handles = 0;

const policyOf = (agent: AgentClient) => expectOk(agent.owner.get(`/handles/${agent.slug}/egress`));

/** Creates an agent with a private space, of which @bob and another handle of its account are members. */
async function newAgent(): Promise<AgentClient> {
  const agent = await daemon.createAgent(`p-${handles++}`);
  await createSpace(agent, `room-${agent.slug}`, { visibility: "private" });
  await daemon.createAgent(`${agent.slug}-heir`, {}, agent.slug);
  const members = ["bob", `${agent.slug}-heir`].map((handle) => ({ handle, role: "poster" }));
  await expectOk(agent.put(`/spaces/room-${agent.slug}`, { members }));
  return agent;
}

/** Creates an agent that publishes nothing. */
async function newSilentAgent(): Promise<AgentClient> {
  const agent = await newAgent();
  await setEgressPolicy(agent, { publish: false });
  return agent;
}

type Attempt = (client: Client, slug: string) => ReturnType<Client["put"]>;

const profile =
  (body: Record<string, unknown>): Attempt =>
  (client) =>
    client.put("/profile", body);
const space =
  (body: Record<string, unknown>): Attempt =>
  (client, slug) =>
    client.put(`/spaces/room-${slug}`, body);
const SECRET = "the-secret";

/** Every change that others can read. */
const CHANGES: Record<string, Attempt> = {
  "its display name": profile({ display_name: SECRET }),
  "its bio": profile({ bio: SECRET }),
  "its bio, back to none": profile({ bio: null }),
  "its tags": profile({ tags: [SECRET] }),
  "whether search finds it": profile({ discoverable: true }),
  "its inbox rule": profile({ inbox_rule: { allow_text: false, inline_schema: { const: SECRET } } }),
  "its delivery receipts": profile({ delivery_receipts: false }),
  "its bio beside its contact policy": profile({ contact_policy: "contacts_only", bio: SECRET }),
  "a new schema": (client, slug) =>
    client.post("/schemas", { subject: `@${slug}/note`, json_schema: { description: SECRET } }),
  "a new space": (client, slug) => client.post("/spaces", { slug: `new-${slug}`, visibility: "private" }),
  "the description of its space": space({ description: SECRET }),
  "the tags of its space": space({ tags: [SECRET] }),
  "the posting rights of its space": space({ posting_rights: "mods" }),
  "the rules of its space": space({ root_rule: { allow_text: true, inline_schema: { const: SECRET } } }),
  "the retention of its space": space({ retain_days: 1 }),
  "a new member": space({ members: [{ handle: "carol", role: "reader" }] }),
  "the role of a member": space({ members: [{ handle: "bob", role: "reader" }] }),
  "the removal of a member": space({ members: [{ handle: "bob", role: "remove" }] }),
  "the owner of its space": (client, slug) =>
    client.put(`/spaces/room-${slug}`, { transfer_owner: `${slug}-heir` }),
};

/**
 * Returns what the agent has published: its profile, its space with the members, and how many schemas and
 * spaces there are.
 */
async function published(agent: AgentClient) {
  const [handle, { members }, { spaces }, detail] = await Promise.all(
    ["/profile", `/spaces/room-${agent.slug}/members`, "/spaces?limit=100", `/spaces/room-${agent.slug}`].map(
      (path) => expectOk(agent.get(path)),
    ),
  );
  const schema = await bob.get(`/schemas/${encodeURIComponent(`@${agent.slug}/note`)}`);
  return { handle, members, spaces, detail, schema: schema.status };
}

describe("the field publish of an egress policy", () => {
  // [D9-publish-default]
  it("is true by default, also after a change that omits it", async () => {
    const agent = await newAgent();
    expect(await policyOf(agent)).toMatchObject({ mode: "open", publish: true });
    expect(await setEgressPolicy(agent, { mode: "allowlist", allow: [] })).toMatchObject({ publish: true });
    for (const attempt of Object.values(CHANGES))
      expect((await attempt(agent, agent.slug)).status).toBeLessThan(300);
  });

  // [D9-publish-default] [D9-egress-partial]
  it("is set and read by the human, and stays where a change omits it", async () => {
    const agent = await newAgent();
    expect(await setEgressPolicy(agent, { publish: false })).toEqual({
      mode: "open",
      allow: [],
      deny: [],
      publish: false,
    });
    expect(await setEgressPolicy(agent, { mode: "approval", also_allow: ["@bob"] })).toMatchObject({
      publish: false,
    });
    expect(await policyOf(agent)).toMatchObject({ publish: false });
    expect(await setEgressPolicy(agent, { publish: true })).toMatchObject({
      mode: "approval",
      publish: true,
    });
    for (const publish of [null, 0, "false"]) {
      const put = agent.owner.put(`/handles/${agent.slug}/egress`, { publish });
      await expectRefused(put, "VALIDATION_ERROR");
    }
  });

  // [D9-egress-changed]
  it("is logged when it changes", async () => {
    const agent = await newSilentAgent();
    const { entries } = await expectOk(agent.owner.get("/audit?action=egress.changed"));
    expect(entries).toMatchObject([{ actor: "human", subject: `@${agent.slug}` }]);
  });
});

describe("an agent whose policy has publish false", () => {
  // [D9-publish]
  it("changes nothing that others can read", async () => {
    const agent = await newSilentAgent();
    const { token } = await addConnection(daemon, agent.slug);
    const before = await published(agent);
    for (const client of [agent, daemon.client(token)])
      for (const [what, attempt] of Object.entries(CHANGES)) {
        const { status, body } = await attempt(client, agent.slug);
        expect({ what, status, code: body.code }).toEqual({ what, status: 403, code: "EGRESS_BLOCKED" });
        expect(body.message).toMatch(/^your owner's egress policy forbids /);
      }
    expect(await published(agent)).toEqual(before);
    await setEgressPolicy(agent, { publish: true });
    await expectOk(agent.put("/profile", { bio: "again" }));
  });

  // [D9-publish]
  it("keeps its contact policy, reads, empty changes, and leaves spaces", async () => {
    const agent = await newAgent();
    await createSpace(bob, `of-bob-${agent.slug}`, { visibility: "private" });
    const members = [{ handle: agent.slug, role: "mod" }];
    await expectOk(bob.put(`/spaces/of-bob-${agent.slug}`, { members }));
    await setEgressPolicy(agent, { publish: false });
    await expectOk(agent.put("/profile", { contact_policy: "contacts_only" }));
    await expectOk(agent.put("/profile", {}));
    await expectOk(agent.put(`/spaces/room-${agent.slug}`, {}));
    await makeContacts(bob, agent);
    await expectOk(agent.put("/blocks/carol"));
    const sent = await sendWire(agent, "@bob");
    await expectOk(agent.delete(`/wires/${sent.id}`));
    const path = `/spaces/of-bob-${agent.slug}`;
    const leave = { handle: agent.slug, role: "remove" };
    const other = { handle: "carol", role: "reader" };
    await expectRefused(agent.put(path, { members: [leave, other] }), "EGRESS_BLOCKED");
    await expectRefused(agent.put(path, { members: [leave], description: SECRET }), "EGRESS_BLOCKED");
    await expectRefused(agent.put(path, { members: [{ ...leave, role: "reader" }] }), "EGRESS_BLOCKED");
    await expectOk(agent.put(path, { members: [leave] }));
    await expectRefused(agent.get(path), "NOT_FOUND");
  });

  // [D9-publish]
  it("does not bind its human, who acts by a token of the handle", async () => {
    const agent = await newSilentAgent();
    const { token } = await expectOk(agent.owner.post(`/handles/${agent.slug}/token`), 201);
    for (const [what, attempt] of Object.entries(CHANGES)) {
      const { status, body } = await attempt(daemon.client(token), agent.slug);
      expect({ what, ok: status < 300, body }).toMatchObject({ what, ok: true });
    }
  });

  // [D9-publish]
  it("is bound itself, not the other handles of its account", async () => {
    const agent = await newSilentAgent();
    const sibling = await daemon.createAgent(`p-${handles++}`, {}, agent.slug);
    await expectOk(sibling.put("/profile", { bio: "free" }));
  });

  // [D4-refusal-order] [D9-publish]
  it("is refused after 400, 429 and 404, and before 403", async () => {
    const agent = await newSilentAgent();
    await createSpace(carol, `of-carol-${agent.slug}`);
    await expectRefused(agent.put("/profile", { bio: 7 }), "VALIDATION_ERROR");
    await expectRefused(agent.put("/spaces/no-such-space", { description: "x" }), "NOT_FOUND");
    await expectRefused(
      agent.put(`/spaces/room-${agent.slug}`, { members: [{ handle: "no-such-handle", role: "reader" }] }),
      "NOT_FOUND",
    );
    await expectRefused(agent.put(`/spaces/of-carol-${agent.slug}`, { description: "x" }), "EGRESS_BLOCKED");
    await expectRefused(
      agent.post("/schemas", { subject: "@no-such-handle/x", json_schema: {} }),
      "NOT_FOUND",
    );
    const bad = { subject: `@${agent.slug}/x`, json_schema: { type: "nothing" } };
    await expectRefused(agent.post("/schemas", bad), "VALIDATION_ERROR");
  });

  // [D9-publish]
  it("learns nothing about slugs from POST /spaces", async () => {
    const agent = await newSilentAgent();
    await createSpace(carol, `secret-${agent.slug}`, { visibility: "private" });
    const answers = [];
    for (const slug of [`secret-${agent.slug}`, `nobody-${agent.slug}`]) {
      const { status, body } = await agent.post("/spaces", { slug, visibility: "private" });
      answers.push({ status, ...body });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ code: "EGRESS_BLOCKED" });
  });

  // [D9-publish]
  it("changes nothing after the policy was answered, whatever runs at the same time", async () => {
    for (let round = 0; round < 5; round++) {
      const agent = await newAgent();
      const changes = Array.from({ length: 12 }, (_, n) => [
        agent.put("/profile", { bio: `bio ${n}` }),
        agent.put(`/spaces/room-${agent.slug}`, { description: `description ${n}` }),
        agent.post("/schemas", { subject: `@${agent.slug}/n-${n}`, json_schema: {} }),
      ]).flat();
      await setEgressPolicy(agent, { publish: false });
      const closed = await published(agent);
      const replies = await Promise.all(changes);
      expect(replies.every(({ status, body }) => status < 300 || body.code === "EGRESS_BLOCKED")).toBe(true);
      expect(await published(agent)).toEqual(closed);
    }
  });
});

// [D9-publish]
it.runIf(ENGINE === "postgres")("a change waits for a policy that is being stored", async () => {
  const agent = await newAgent();
  for (const what of ["its bio", "a new schema", "a new space", "the description of its space"]) {
    await setEgressPolicy(agent, { publish: true });
    const reply = await withDatabase(daemon.dataDir, async (db) => {
      await db.run("BEGIN");
      await db.all("SELECT pk FROM handles WHERE slug = ? FOR NO KEY UPDATE", agent.slug);
      const change = CHANGES[what]!(agent, agent.slug);
      await expect.poll(() => db.all("SELECT pid FROM pg_locks WHERE NOT granted")).not.toEqual([]);
      await db.run(
        "UPDATE egress_policies SET publish = 0 WHERE handle = (SELECT pk FROM handles WHERE slug = ?)",
        agent.slug,
      );
      await db.run("COMMIT");
      return change;
    });
    expect({ what, code: reply.body.code }).toEqual({ what, code: "EGRESS_BLOCKED" });
  }
});

describe("a blocked change", () => {
  // [D9-egress-audit]
  it("is logged with its object and without its text, once for an idempotency key", async () => {
    const agent = await newSilentAgent();
    const key = { "Idempotency-Key": "again" };
    await expectRefused(agent.put("/profile", { bio: SECRET }), "EGRESS_BLOCKED");
    await expectRefused(agent.put(`/spaces/room-${agent.slug}`, { description: SECRET }), "EGRESS_BLOCKED");
    const register = () =>
      agent.post("/schemas", { subject: `@${agent.slug}/note`, json_schema: { title: SECRET } }, key);
    const create = () => agent.post("/spaces", { slug: `new-${agent.slug}`, visibility: "public" }, key);
    for (const again of [register, register, create, create]) await expectRefused(again(), "EGRESS_BLOCKED");
    const entries = await listBlockedAttempts(agent);
    expect(entries.map(({ subject }) => subject).reverse()).toEqual([
      `@${agent.slug}`,
      `#room-${agent.slug}`,
      `@${agent.slug}/note`,
      `#new-${agent.slug}`,
    ]);
    for (const entry of entries)
      expect(entry).toMatchObject({ actor: `@${agent.slug}`, handle: agent.slug, outcome: "EGRESS_BLOCKED" });
    expect(JSON.stringify(entries)).not.toContain(SECRET);
    // The rejected requests did not use up their key.
    await setEgressPolicy(agent, { publish: true });
    await expectOk(register(), 201);
    await expectOk(create(), 201);
    // A stored response is given again, because nothing changes.
    await setEgressPolicy(agent, { publish: false });
    await expectOk(register(), 201);
  });

  // [D9-egress-audit]
  it("is logged at most 60 times a minute", async () => {
    const agent = await newSilentAgent();
    const attempts = Array.from({ length: 70 }, (_, n) => agent.put("/profile", { bio: `${n}` }));
    for (const { body } of await Promise.all(attempts))
      expect(body.code).toMatch(/^(EGRESS_BLOCKED|RATE_LIMITED)$/);
    const { entries } = await expectOk(agent.owner.get("/audit?action=egress.blocked&limit=100"));
    expect(entries).toHaveLength(60);
  });
});
