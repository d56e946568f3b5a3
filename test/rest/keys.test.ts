import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { changeDatabaseOffline, expectOk, expectRefused } from "../harness/api-helpers.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { hold } from "../harness/held-requests.js";
import { readAllPages } from "../harness/pagination.js";
import { RawConnection } from "../harness/raw-http.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);

const issue = (agent: AgentClient, fields = {}): Promise<Body> =>
  expectOk(agent.owner.post("/keys", { handle_id: agent.id, ...fields }), 201);
const requestWithKey = (key: string) => daemon.client(key).get("/profile");
const listed = async (agent: AgentClient, id: string): Promise<Body> =>
  (await expectOk(agent.owner.get("/keys"))).keys.find((key: { id: string }) => key.id === id);

describe("POST /keys", () => {
  // [D1-key-format] [S2.9-key-fields] [S2.9-key-prefix]
  it("returns id, key and prefix; the key is wr_ and 43 base62 characters", async () => {
    const issued = await issue(alice);
    expect(issued).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      key: expect.stringMatching(/^wr_[0-9A-Za-z]{43}$/),
      prefix: issued.key.slice(0, 12),
    });
  });

  // [S4.2-keys-issue]
  it("issues another valid key with each call", async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => issue(alice)));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(5);
    for (const { key } of keys) expect((await expectOk(requestWithKey(key))).slug).toBe("alice");
  });

  // [S2.9-shown-once]
  it("ignores an Idempotency-Key, because a key is shown only once", async () => {
    const repeatIssue = () =>
      expectOk(alice.owner.post("/keys", { handle_id: alice.id }, { "idempotency-key": "the-same" }), 201);
    expect((await repeatIssue()).key).not.toBe((await repeatIssue()).key);
  });

  // [S4.2-keys-issue]
  it("returns 403 for a handle of another account, and 404 for an unknown handle", async () => {
    await expectRefused(alice.owner.post("/keys", { handle_id: bob.id }), "FORBIDDEN");
    await expectRefused(alice.owner.post("/keys", { handle_id: crypto.randomUUID() }), "NOT_FOUND");
    await expectRefused(alice.owner.post("/keys", { handle_id: "alice" }), "NOT_FOUND");
    for (const body of [{}, { handle_id: "" }, { handle_id: 7 }, { handle_id: alice.id, label: "x" }]) {
      await expectRefused(alice.owner.post("/keys", body), "VALIDATION_ERROR");
    }
  });

  // [D21-key-name]
  it("gives the key a name, which GET /keys and the export show until the handle is retired", async () => {
    const named = await daemon.createAgent("named-one");
    const name = "nightly \u{1F319} build";
    const { id } = await issue(named, { name });
    const [unnamed] = await Promise.all([issue(named), issue(named, { name: "é".repeat(50) })]);
    await expectOk(named.owner.delete(`/keys/${id}`));
    expect(await listed(named, id)).toMatchObject({ name, revoked_at: expect.any(String) });
    expect((await listed(named, unnamed.id)).name).toBe(null);
    for (const wrong of ["", "x".repeat(51), null, 7])
      await expectRefused(
        named.owner.post("/keys", { handle_id: named.id, name: wrong }),
        "VALIDATION_ERROR",
      );
    await expectOk(named.owner.delete("/handles/named-one"));
    const rows = await withDatabase(daemon.dataDir, (db) =>
      db.all<Body>(
        "SELECT k.name, k.revoked_at FROM api_keys k JOIN handles h ON h.pk = k.handle WHERE h.slug = 'named-one'",
      ),
    );
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row).toEqual({ name: null, revoked_at: expect.any(Number) });
  });

  // [S2.9-hash-only]
  it("stores the SHA-256 and the prefix of the key, but not the key", async () => {
    const { id, key, prefix } = await issue(alice);
    await expectOk(requestWithKey(key));
    const [row] = await withDatabase(daemon.dataDir, (db) =>
      db.all<Body>("SELECT * FROM api_keys WHERE id = ?", id),
    );
    expect(row).toMatchObject({ hash: createHash("sha256").update(key).digest("base64url"), prefix });
    for (const file of await readdir(daemon.dataDir)) {
      expect((await readFile(join(daemon.dataDir, file))).includes(key), file).toBe(false);
    }
    expect(daemon.log()).not.toContain(key);
  });

  // [D9-key-expires] [D9-key-stops]
  it("with expires_at issues a key that stops working at that time, even if it is cached", async () => {
    const expires_at = new Date(Date.now() + 3_000).toISOString();
    const { id, key } = await issue(alice, { expires_at });
    await expectOk(requestWithKey(key));
    expect((await listed(alice, id)).expires_at).toBe(expires_at);
    await sleep(Date.parse(expires_at) - Date.now() + 5);
    await expectRefused(requestWithKey(key), "UNAUTHORIZED");
  });

  // [D9-key-expires]
  it("accepts expires_at with any offset, and rejects past and invalid times", async () => {
    const { id } = await issue(alice, { expires_at: "2099-01-02T03:04:05+02:00" });
    expect((await listed(alice, id)).expires_at).toBe("2099-01-02T01:04:05.000Z");
    const past = new Date(Date.now() - 1).toISOString();
    for (const expires_at of [
      past,
      "2099-01-02",
      "tomorrow",
      "2099-02-30T00:00:00Z",
      "",
      4_070_908_800,
      null,
    ]) {
      await expectRefused(alice.owner.post("/keys", { handle_id: alice.id, expires_at }), "VALIDATION_ERROR");
    }
  });

  // [D9-key-expires] [D1-times]
  it("accepts expires_at up to the year 9999 in UTC", async () => {
    const { id } = await issue(alice, { expires_at: "9999-12-31T23:59:59.999+00:00" });
    expect((await listed(alice, id)).expires_at).toBe("9999-12-31T23:59:59.999Z");
    for (const expires_at of ["9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59-23:59"]) {
      const body = { handle_id: alice.id, expires_at };
      const { errors } = await expectRefused(alice.owner.post("/keys", body), "VALIDATION_ERROR");
      expect(errors).toEqual([
        { instancePath: "/expires_at", keyword: "format", message: expect.stringContaining("9999") },
      ]);
    }
  });

  // [D9-key-expires]
  it("without expires_at issues a key that works until it is revoked", async () => {
    const { id, key } = await issue(alice);
    await changeDatabaseOffline(daemon, (db) =>
      db.run("UPDATE api_keys SET created_at = 0 WHERE id = ?", id),
    );
    await expectOk(requestWithKey(key));
    expect(await listed(alice, id)).toMatchObject({ expires_at: null, revoked_at: null });
  });
});

describe("DELETE /keys/{id}", () => {
  // [D9-key-stops] [S4.2-keys-revoke]
  it("revokes the key at once, even while it is in use", async () => {
    const { id, key } = await issue(alice);
    const busy = Array.from({ length: 20 }, () => requestWithKey(key));
    expect(await expectOk(alice.owner.delete(`/keys/${id}`))).toEqual({ id, revoked: true });
    const after = await Promise.all(Array.from({ length: 20 }, () => requestWithKey(key)));
    expect(after.map(({ status }) => status)).toEqual(Array(20).fill(401));
    for (const { status } of await Promise.all(busy)) expect([200, 401]).toContain(status);
    await daemon.restart();
    await expectRefused(requestWithKey(key), "UNAUTHORIZED");
  });

  // [S4.2-keys-revoke]
  it("does not affect other keys of the handle", async () => {
    const [one, other] = [await issue(alice), await issue(alice)];
    await expectOk(alice.owner.delete(`/keys/${one.id}`));
    await expectOk(requestWithKey(other.key));
  });

  // [D9-revoked-again]
  it("returns the same response when repeated, with the first revocation time", async () => {
    const { id } = await issue(alice);
    await expectOk(alice.owner.delete(`/keys/${id}`));
    const { revoked_at } = await listed(alice, id);
    expect(await expectOk(alice.owner.delete(`/keys/${id}`))).toEqual({ id, revoked: true });
    expect((await listed(alice, id)).revoked_at).toBe(revoked_at);
  });

  // [S4.2-keys-revoke]
  it("returns 403 for a key of another account, and 404 for an unknown key", async () => {
    await expectRefused(alice.owner.delete(`/keys/${bob.keyId}`), "FORBIDDEN");
    await expectRefused(alice.owner.delete(`/keys/${crypto.randomUUID()}`), "NOT_FOUND");
    await expectRefused(alice.owner.delete(`/keys/${alice.key}`), "NOT_FOUND");
    await expectOk(requestWithKey(bob.key));
  });
});

describe("an invalid API key", () => {
  // [D9-key-401]
  it("gets the same 401 response, whether it was revoked, expired or never issued", async () => {
    const expires_at = new Date(Date.now() + 1_000).toISOString();
    const [revoked, expired] = [await issue(bob), await issue(bob, { expires_at })];
    await expectOk(bob.owner.delete(`/keys/${revoked.id}`));
    await sleep(Date.parse(expires_at) - Date.now() + 5);
    const answers = await Promise.all(
      [revoked.key, expired.key, `wr_${"a".repeat(43)}`].map(async (key) => {
        const { status, headers, body } = await requestWithKey(key);
        const told = [...headers].filter(([name]) => !["x-request-id", "date"].includes(name));
        return { status, headers: told, body };
      }),
    );
    expect(answers[0]).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  // [D9-key-held] [D9-key-stops]
  it("ends its long-polls, without items that arrived after the revocation", async () => {
    const carl = await daemon.createAgent("carl");
    const spare = await issue(carl);
    const held = await hold(daemon, () => carl.get("/inbox?wait=30"));
    const other = await hold(daemon, () => daemon.client(spare.key).get("/inbox?wait=30"));
    const began = performance.now();
    await expectOk(carl.owner.delete(`/keys/${carl.keyId}`));
    await expectRefused(held(), "UNAUTHORIZED");
    expect(performance.now() - began).toBeLessThan(15_000);
    await expectOk(bob.post("/wires", { to: "carl", text: "for the other key" }), 201);
    expect((await expectOk(other())).wires).toHaveLength(1);
  });

  // [D9-key-stops]
  it("ends requests whose bodies arrive after the revocation, on REST and MCP", async () => {
    const erin = await daemon.createAgent("erin");
    await expectOk(bob.post("/wires", { to: "erin", text: "not for a revoked key" }), 201);
    const tool = (name: string, args: object) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args },
    });
    const bodies: [path: string, body: object][] = [
      ["/v1/wires", { to: "bob", text: "too late" }],
      ["/v1/wires", { to: "bob" }],
      ["/mcp", tool("send_wire", { to: "bob", text: "too late" })],
      ["/mcp", tool("read_inbox", {})],
    ];
    const begun = await Promise.all(
      bodies.map(async ([path, body]) => {
        const json = JSON.stringify(body);
        const connection = await RawConnection.open(daemon.origin);
        const headers = `Host: 127.0.0.1\r\nAuthorization: Bearer ${erin.key}\r\nAccept: application/json, text/event-stream`;
        const head = `POST ${path} HTTP/1.1\r\n${headers}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}`;
        connection.send(`${head}\r\n\r\n${json.slice(0, 2)}`);
        return { connection, rest: json.slice(2) };
      }),
    );
    await sleep(200);
    await expectOk(erin.owner.delete(`/keys/${erin.keyId}`));
    const statuses = await Promise.all(
      begun.map(async ({ connection, rest }) => (await connection.send(rest).readResponse())?.status),
    );
    for (const { connection } of begun) connection.close();
    expect(statuses).toEqual([401, 401, 401, 401]);
  });

  // [D9-key-rotation]
  it("can be replaced by key rotation without interruption", async () => {
    const dave = await daemon.createAgent("dave");
    let current = { id: dave.keyId, key: dave.key };
    for (let round = 0; round < 3; round++) {
      const next = await issue(dave);
      await expectOk(requestWithKey(current.key));
      await expectOk(requestWithKey(next.key));
      await expectOk(dave.owner.delete(`/keys/${current.id}`));
      await expectRefused(requestWithKey(current.key), "UNAUTHORIZED");
      current = next;
    }
    await expectOk(requestWithKey(current.key));
  });
});

describe("last_used_at", () => {
  // [D9-last-used]
  it("is shown at once, stored at most once a minute, and stored when the daemon stops", async () => {
    const { id, key } = await issue(bob);
    const stored = async () => {
      const sql = "SELECT last_used_at FROM api_keys WHERE id = ?";
      return (await withDatabase(daemon.dataDir, (db) => db.all<Body>(sql, id)))[0].last_used_at;
    };
    await expectOk(requestWithKey(key));
    const shown = (await listed(bob, id)).last_used_at;
    expect(Date.now() - Date.parse(shown)).toBeLessThan(60_000);
    for (let n = 0; n < 10; n++) await expectOk(requestWithKey(key));
    await listed(bob, id);
    expect(await stored()).toBeNull();
    await daemon.restart();
    expect(await stored()).toBeGreaterThanOrEqual(Date.parse(shown));
    expect((await listed(bob, id)).last_used_at).toBe(new Date(await stored()).toISOString());
  });
});

describe("GET /keys", () => {
  // [D9-keys-list] [S2.9-shown-once]
  it("lists the keys of the caller's handles without the keys themselves", async () => {
    const carol = await daemon.createAgent("carol");
    const second = await daemon.createAgent("carol-two", {}, "carol");
    await expectOk(carol.get("/profile"));
    await expectOk(carol.owner.delete(`/keys/${second.keyId}`));
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { keys } = await expectOk(carol.owner.get("/keys"));
    expect(keys).toEqual([
      {
        id: second.keyId,
        prefix: second.key.slice(0, 12),
        name: null,
        handle_id: second.id,
        created_at: time,
        last_used_at: null,
        revoked_at: time,
        expires_at: null,
      },
      {
        id: carol.keyId,
        prefix: carol.key.slice(0, 12),
        name: null,
        handle_id: carol.id,
        created_at: time,
        last_used_at: time,
        revoked_at: null,
        expires_at: null,
      },
    ]);
    expect(await readAllPages(carol.owner, "/keys", "keys", 1)).toEqual(keys);
  });
});
