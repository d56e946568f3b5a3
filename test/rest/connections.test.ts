import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { expectOk, expectRefused, sendWire } from "../harness/api-helpers.js";
import { addConnection } from "../harness/connections.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { hold } from "../harness/held-requests.js";
import { Application, OAUTH_DAEMON, OAuthHuman } from "../harness/oauth.js";
import { grantOperator } from "../harness/operator.js";
import { readAllPages } from "../harness/pagination.js";

const { daemon, alice, bob, olga } = await hostedFixture(["alice", "bob", "olga"], {
  args: ["--limit", "wires_per_minute=3"],
});
await grantOperator(daemon, "olga");
/** A daemon with an authorization server. */
const { daemon: provider } = await hostedFixture([], OAUTH_DAEMON);

const profileWith = (token: string) => daemon.client(token).get("/profile");
const listed = async (agent: AgentClient): Promise<Body[]> =>
  (await expectOk(agent.owner.get("/connections"))).connections;
const issueToken = (agent: AgentClient): Promise<Body> =>
  expectOk(agent.owner.post(`/handles/${agent.slug}/token`), 201);
const actionsOf = async (agent: AgentClient): Promise<string[]> =>
  (await expectOk(agent.owner.get(`/audit?handle=${agent.slug}`))).entries.map(
    ({ actor, action, subject }: Body) => `${actor} ${action} ${subject}`,
  );
const suspend = (slug: string, suspended: boolean) =>
  expectOk(olga.put(`/operator/handles/${slug}`, { suspended }));

describe("GET /connections", () => {
  // [D13-connections-list] [D13-connection-fields]
  it("lists the live connections of all handles of the account, newest first", async () => {
    const carol = await daemon.createAgent("carol");
    await daemon.createAgent("carol-two", {}, "carol");
    const first = await addConnection(daemon, "carol", "First");
    const second = await addConnection(daemon, "carol-two", "Second");
    const ended = await addConnection(daemon, "carol");
    await expectOk(carol.owner.delete(`/connections/${ended.id}`));
    await expectOk(profileWith(first.token));
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const common = { client_id: "https://host.example/client.json", created_at: time };
    const connections = await listed(carol);
    expect(connections).toEqual([
      { ...common, id: second.id, handle: "carol-two", client_name: "Second", last_used_at: null },
      { ...common, id: first.id, handle: "carol", client_name: "First", last_used_at: time },
    ]);
    expect(await readAllPages(carol.owner, "/connections", "connections", 1)).toEqual(connections);
    expect(await listed(bob)).toEqual([]);
    await expectRefused(carol.get("/connections"), "FORBIDDEN");
  });
});

describe("DELETE /connections/{id}", () => {
  // [D13-connections-revoke]
  it("ends the connection and its tokens at once, long polls included", async () => {
    const { id, token } = await addConnection(daemon, "bob");
    const other = await addConnection(daemon, "bob");
    const held = await hold(daemon, () => daemon.client(token).get("/inbox?wait=30"));
    const began = performance.now();
    for (let n = 0; n < 2; n++) {
      expect(await expectOk(bob.owner.delete(`/connections/${id}`))).toEqual({ id, revoked: true });
    }
    await expectRefused(held(), "UNAUTHORIZED");
    expect(performance.now() - began).toBeLessThan(15_000);
    await expectRefused(profileWith(token), "UNAUTHORIZED");
    await expectOk(profileWith(other.token));
    const revoked = (await actionsOf(bob)).filter((entry) => entry.includes("revoked"));
    expect(revoked).toEqual([`human connection.revoked connection:${id}`]);
  });

  // [D13-connections-revoke] [D13-connection-ends]
  it("and a retirement delete the grant and the refresh tokens, and those of no other", async () => {
    const human = await OAuthHuman.signUp(provider);
    const owner = provider.client(await human.idToken());
    const application = await Application.register(provider);
    const kept = await application.connect(human, { newHandle: "kept" });
    const records = () =>
      withDatabase(provider.dataDir, (db) =>
        db.all<Body>(
          `SELECT r.model FROM connections c
           JOIN identity_records r ON r.grant_id = c.grant_id OR (r.model = 'Grant' AND r.id = c.grant_id)`,
        ),
      );
    const before = (await records()).length;
    expect(before).toBeGreaterThanOrEqual(2);
    const { refresh_token } = await application.connect(human, { handle: "kept" });
    await application.connect(human, { newHandle: "retired" });
    const all = (await expectOk(owner.get("/connections"))).connections;
    await expectOk(owner.delete(`/connections/${all[1].id}`));
    await expectOk(owner.delete("/handles/retired"));
    expect(await records()).toHaveLength(before);
    expect((await application.refresh(refresh_token)).body.error).toBe("invalid_grant");
    expect((await application.refresh(kept.refresh_token)).status).toBe(200);
  });

  // [D13-connections-revoke]
  it("returns 403 for a connection of another account, and 404 for an unknown one", async () => {
    const { id, token } = await addConnection(daemon, "bob");
    await expectRefused(alice.owner.delete(`/connections/${id}`), "FORBIDDEN");
    await expectRefused(alice.owner.delete(`/connections/${crypto.randomUUID()}`), "NOT_FOUND");
    await expectOk(profileWith(token));
  });
});

describe("an access token", () => {
  // [D13-token-handle]
  it("stands for the handle on REST and MCP; limits and idempotency count by handle", async () => {
    const dora = await daemon.createAgent("dora");
    const { token } = await addConnection(daemon, "dora");
    const client = daemon.client(token);
    const headers = { "idempotency-key": "once" };
    const send = () => client.post("/wires", { to: "bob", text: "hi" }, headers);
    const sent = await expectOk(send(), 201);
    expect(await expectOk(dora.post("/wires", { to: "bob", text: "hi" }, headers), 201)).toEqual(sent);
    await sendWire(dora, "bob");
    await sendWire(client, "bob");
    await expectRefused(client.post("/wires", { to: "bob", text: "4" }), "RATE_LIMITED");
    await expectRefused(dora.post("/wires", { to: "bob", text: "4" }), "RATE_LIMITED");
    const response = await fetch(`${daemon.origin}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "get_wire", arguments: { id: sent.id } },
      }),
    });
    expect(((await response.json()) as Body).result.structuredContent.id).toBe(sent.id);
    await expectRefused(client.get("/keys"), "FORBIDDEN");
  });

  // [D13-connection-suspended]
  it("gets 403 while its handle is suspended, and works again afterwards", async () => {
    const { token } = await addConnection(daemon, "alice");
    await expectOk(profileWith(token));
    await suspend("alice", true);
    await expectRefused(profileWith(token), "FORBIDDEN");
    await suspend("alice", false);
    await expectOk(profileWith(token));
  });
});

describe("POST /handles/{slug}/token/revoke", () => {
  const revoke = (agent: AgentClient, slug: string, token: string) =>
    agent.owner.post(`/handles/${slug}/token/revoke`, { token });

  // [D16-token-revoke]
  it("ends one token at once, and answers the same for one that is no more", async () => {
    const hal = await daemon.createAgent("hal-agent");
    const [{ token }, { token: other }] = [await issueToken(hal), await issueToken(hal)];
    await expectOk(profileWith(token));
    const reply = await hold(daemon, () => daemon.client(token).get("/inbox?wait=30"));
    for (let times = 0; times < 2; times++)
      expect(await expectOk(revoke(hal, "@hal-agent", token))).toEqual({ revoked: true });
    await expectRefused(reply(), "UNAUTHORIZED");
    await expectRefused(profileWith(token), "UNAUTHORIZED");
    await expectOk(profileWith(other));
    expect(daemon.log()).not.toContain(token);
  });

  // [D16-token-revoke]
  it("ends no token of another handle, of a connection, and no key", async () => {
    const { token } = await issueToken(bob);
    const { token: connected } = await addConnection(daemon, "alice");
    for (const each of [token, connected, alice.key]) await expectOk(revoke(alice, "alice", each));
    for (const each of [token, connected, alice.key]) await expectOk(profileWith(each));
    await expectRefused(revoke(alice, "bob", token), "FORBIDDEN");
    await expectRefused(revoke(alice, "nobody-here", token), "NOT_FOUND");
    await expectRefused(alice.post("/handles/alice/token/revoke", { token }), "FORBIDDEN");
    await expectRefused(alice.owner.post("/handles/alice/token/revoke"), "VALIDATION_ERROR");
    await expectOk(profileWith(token));
  });
});

describe("POST /handles/{slug}/token", () => {
  // [D16-handle-token]
  it("issues a token that stands for the handle for an hour", async () => {
    const { token, expires_at } = await issueToken(bob);
    expect(token).toMatch(/^wt_[0-9A-Za-z]{43}$/);
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 3_600_000)).toBeLessThan(10_000);
    expect((await expectOk(profileWith(token))).slug).toBe("bob");
    const hash = createHash("sha256").update(token).digest("base64url");
    const rows = await withDatabase(daemon.dataDir, (db) =>
      db.all<Body>("SELECT connection FROM access_tokens WHERE hash = ?", hash),
    );
    expect(rows).toEqual([{ connection: null }]);
    expect(daemon.log()).not.toContain(token);
  });

  // [D16-handle-token]
  it("is refused for handles of other accounts, unknown, retired and suspended ones", async () => {
    const erin = await daemon.createAgent("erin");
    await expectRefused(alice.owner.post("/handles/bob/token"), "FORBIDDEN");
    await expectRefused(alice.owner.post("/handles/nobody-here/token"), "NOT_FOUND");
    await expectRefused(alice.owner.post("/handles/alice/token", { ttl: 5 }), "VALIDATION_ERROR");
    await expectRefused(alice.post("/handles/alice/token"), "FORBIDDEN");
    await suspend("erin", true);
    await expectRefused(erin.owner.post("/handles/@erin/token"), "FORBIDDEN");
    await expectOk(erin.owner.delete("/handles/erin"));
    await expectRefused(erin.owner.post("/handles/erin/token"), "NOT_FOUND");
  });

  // [D16-handle-token]
  it("ends the oldest token of the handle instead of a 61st", async () => {
    const frank = await daemon.createAgent("frank");
    const { token: connected } = await addConnection(daemon, "frank");
    const tokens: string[] = [];
    for (let n = 0; n < 60; n++) tokens.push((await issueToken(frank)).token);
    await expectOk(profileWith(tokens[0]!));
    const { token: last } = await issueToken(frank);
    await expectRefused(profileWith(tokens[0]!), "UNAUTHORIZED");
    for (const token of [tokens[1]!, last, connected, frank.key]) await expectOk(profileWith(token));
  });

  // [D16-token-audit]
  it("ignores an Idempotency-Key, and is audited each time", async () => {
    const fred = await daemon.createAgent("fred");
    const issue = () =>
      expectOk(fred.owner.post("/handles/fred/token", undefined, { "idempotency-key": "x" }), 201);
    expect((await issue()).token).not.toBe((await issue()).token);
    expect((await actionsOf(fred)).slice(0, 2)).toEqual(Array(2).fill("human token.issued @fred"));
  });

  // [D16-token-ends]
  it("issues tokens that end with the suspension of the handle, and with its retirement", async () => {
    const gina = await daemon.createAgent("gina");
    const { token } = await issueToken(gina);
    await expectOk(profileWith(token));
    await suspend("gina", true);
    await expectRefused(profileWith(token), "FORBIDDEN");
    await suspend("gina", false);
    await expectRefused(profileWith(token), "UNAUTHORIZED");
    const { token: later } = await issueToken(gina);
    await expectOk(profileWith(later));
    await expectOk(gina.owner.delete("/handles/gina"));
    await expectRefused(profileWith(later), "UNAUTHORIZED");
  });
});
