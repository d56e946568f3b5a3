import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AgentClient, Body } from "../harness/daemon.js";
import { inDatabase } from "../harness/database.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { ok, refused, whileStopped } from "../harness/talk.js";

const { daemon, alice, bob } = await fileDaemon(["alice", "bob"]);

const issue = (agent: AgentClient, fields = {}): Promise<Body> =>
  ok(agent.owner.post("/keys", { handle_id: agent.id, ...fields }), 201);
const use = (key: string) => daemon.client(key).get("/profile");
const listed = async (agent: AgentClient, id: string): Promise<Body> =>
  (await ok(agent.owner.get("/keys"))).keys.find((key: { id: string }) => key.id === id);

describe("POST /keys", () => {
  it("answers id, key and prefix; the key is wr_ and 43 base62 characters [S2.9-key-fields] [S2.9-key-prefix] [D1-key-format]", async () => {
    const issued = await issue(alice);
    expect(issued).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      key: expect.stringMatching(/^wr_[0-9A-Za-z]{43}$/),
      prefix: issued.key.slice(0, 12),
    });
  });

  it("gives another key each time, all of them in force [S4.2-keys-issue]", async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => issue(alice)));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(5);
    for (const { key } of keys) expect((await ok(use(key))).slug).toBe("alice");
  });

  it("ignores an Idempotency-Key: a plaintext key is returned once [S2.9-shown-once]", async () => {
    const again = () =>
      ok(alice.owner.post("/keys", { handle_id: alice.id }, { "idempotency-key": "the-same" }), 201);
    expect((await again()).key).not.toBe((await again()).key);
  });

  it("is for a handle of the caller's: 403 for another's, 404 for an unknown one [S4.2-keys-issue]", async () => {
    await refused(alice.owner.post("/keys", { handle_id: bob.id }), "FORBIDDEN");
    await refused(alice.owner.post("/keys", { handle_id: crypto.randomUUID() }), "NOT_FOUND");
    await refused(alice.owner.post("/keys", { handle_id: "alice" }), "NOT_FOUND");
    for (const body of [{}, { handle_id: "" }, { handle_id: 7 }, { handle_id: alice.id, name: "x" }]) {
      await refused(alice.owner.post("/keys", body), "VALIDATION_ERROR");
    }
  });

  it("keeps a SHA-256 and the prefix, and the plaintext nowhere [S2.9-hash-only]", async () => {
    const { id, key, prefix } = await issue(alice);
    await ok(use(key));
    const [row] = await inDatabase(daemon.dataDir, (db) =>
      db.all<Body>("SELECT * FROM api_keys WHERE id = ?", id),
    );
    expect(row).toMatchObject({ hash: createHash("sha256").update(key).digest("base64url"), prefix });
    for (const file of await readdir(daemon.dataDir)) {
      expect((await readFile(join(daemon.dataDir, file))).includes(key), file).toBe(false);
    }
    expect(daemon.log()).not.toContain(key);
  });

  it("with expires_at gives a key that ends by itself, at once also where it was just used [D9-key-expires] [D9-key-stops]", async () => {
    const expires_at = new Date(Date.now() + 3_000).toISOString();
    const { id, key } = await issue(alice, { expires_at });
    await ok(use(key));
    expect((await listed(alice, id)).expires_at).toBe(expires_at);
    await sleep(Date.parse(expires_at) - Date.now() + 5);
    await refused(use(key), "UNAUTHORIZED");
  });

  it("takes any offset for expires_at, and refuses the past and what is no time [D9-key-expires]", async () => {
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
      await refused(alice.owner.post("/keys", { handle_id: alice.id, expires_at }), "VALIDATION_ERROR");
    }
  });

  it("without it gives a key that lives until revoked, over years and restarts [D9-key-expires]", async () => {
    const { id, key } = await issue(alice);
    await whileStopped(daemon, (db) => db.run("UPDATE api_keys SET created_at = 0 WHERE id = ?", id));
    await ok(use(key));
    expect(await listed(alice, id)).toMatchObject({ expires_at: null, revoked_at: null });
  });
});

describe("DELETE /keys/{id}", () => {
  it("ends the key at once, also while it is in use [S4.2-keys-revoke] [D9-key-stops]", async () => {
    const { id, key } = await issue(alice);
    const busy = Array.from({ length: 20 }, () => use(key));
    expect(await ok(alice.owner.delete(`/keys/${id}`))).toEqual({ id, revoked: true });
    const after = await Promise.all(Array.from({ length: 20 }, () => use(key)));
    expect(after.map(({ status }) => status)).toEqual(Array(20).fill(401));
    for (const { status } of await Promise.all(busy)) expect([200, 401]).toContain(status);
    await daemon.restart();
    await refused(use(key), "UNAUTHORIZED");
  });

  it("leaves the handle's other keys alone [S4.2-keys-revoke]", async () => {
    const [one, other] = [await issue(alice), await issue(alice)];
    await ok(alice.owner.delete(`/keys/${one.id}`));
    await ok(use(other.key));
  });

  it("again answers the same, and keeps the first time [D9-revoked-again]", async () => {
    const { id } = await issue(alice);
    await ok(alice.owner.delete(`/keys/${id}`));
    const { revoked_at } = await listed(alice, id);
    expect(await ok(alice.owner.delete(`/keys/${id}`))).toEqual({ id, revoked: true });
    expect((await listed(alice, id)).revoked_at).toBe(revoked_at);
  });

  it("is for a key of the caller's: 403 for another's, 404 for an unknown one [S4.2-keys-revoke]", async () => {
    await refused(alice.owner.delete(`/keys/${bob.keyId}`), "FORBIDDEN");
    await refused(alice.owner.delete(`/keys/${crypto.randomUUID()}`), "NOT_FOUND");
    await refused(alice.owner.delete(`/keys/${alice.key}`), "NOT_FOUND");
    await ok(use(bob.key));
  });
});

describe("a key that is not in force", () => {
  it("gets the identical 401, whether it was revoked, expired or never issued [D9-key-401]", async () => {
    const expires_at = new Date(Date.now() + 1_000).toISOString();
    const [revoked, expired] = [await issue(bob), await issue(bob, { expires_at })];
    await ok(bob.owner.delete(`/keys/${revoked.id}`));
    await sleep(Date.parse(expires_at) - Date.now() + 5);
    const answers = await Promise.all(
      [revoked.key, expired.key, `wr_${"a".repeat(43)}`].map(async (key) => {
        const { status, headers, body } = await use(key);
        const told = [...headers].filter(([name]) => !["x-request-id", "date"].includes(name));
        return { status, headers: told, body };
      }),
    );
    expect(answers[0]).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it("ends what is held under it, and shows nothing that came in meanwhile [D9-key-held] [D9-key-stops]", async () => {
    const carl = await daemon.agent("carl");
    const spare = await issue(carl);
    const held = carl.get("/inbox?wait=30");
    const other = daemon.client(spare.key).get("/inbox?wait=30");
    await sleep(200);
    await ok(carl.owner.delete(`/keys/${carl.keyId}`));
    await refused(held, "UNAUTHORIZED");
    await ok(bob.post("/wires", { to: "carl", text: "for the other key" }), 201);
    expect((await ok(other)).wires).toHaveLength(1);
  });

  it("may be one of several that are rotated, without a moment in which none works [D9-key-rotation]", async () => {
    const dave = await daemon.agent("dave");
    let current = { id: dave.keyId, key: dave.key };
    for (let round = 0; round < 3; round++) {
      const next = await issue(dave);
      await ok(use(current.key));
      await ok(use(next.key));
      await ok(dave.owner.delete(`/keys/${current.id}`));
      await refused(use(current.key), "UNAUTHORIZED");
      current = next;
    }
    await ok(use(current.key));
  });
});

describe("last_used_at", () => {
  it("is shown at once, and written down by the minute, not by requests; a stop writes the rest [D9-last-used]", async () => {
    const { id, key } = await issue(bob);
    const stored = async () => {
      const sql = "SELECT last_used_at FROM api_keys WHERE id = ?";
      return (await inDatabase(daemon.dataDir, (db) => db.all<Body>(sql, id)))[0].last_used_at;
    };
    await ok(use(key));
    const shown = (await listed(bob, id)).last_used_at;
    expect(Date.now() - Date.parse(shown)).toBeLessThan(60_000);
    for (let n = 0; n < 10; n++) await ok(use(key));
    await listed(bob, id);
    expect(await stored()).toBeNull();
    await daemon.restart();
    expect(await stored()).toBeGreaterThanOrEqual(Date.parse(shown));
    expect((await listed(bob, id)).last_used_at).toBe(new Date(await stored()).toISOString());
  });
});

describe("GET /keys", () => {
  it("lists the keys of the caller's handles, never the key itself [D9-keys-list] [S2.9-shown-once]", async () => {
    const carol = await daemon.agent("carol");
    const second = await daemon.agent("carol-two", {}, "carol");
    await ok(carol.get("/profile"));
    await ok(carol.owner.delete(`/keys/${second.keyId}`));
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { keys } = await ok(carol.owner.get("/keys"));
    expect(keys).toEqual([
      {
        id: second.keyId,
        prefix: second.key.slice(0, 12),
        handle_id: second.id,
        created_at: time,
        last_used_at: null,
        revoked_at: time,
        expires_at: null,
      },
      {
        id: carol.keyId,
        prefix: carol.key.slice(0, 12),
        handle_id: carol.id,
        created_at: time,
        last_used_at: time,
        revoked_at: null,
        expires_at: null,
      },
    ]);
  });
});
