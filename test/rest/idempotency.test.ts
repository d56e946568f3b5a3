import { describe, expect, it } from "vitest";
import type { Client } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { expectError } from "../harness/envelope.js";
import { sendRawRequest } from "../harness/raw-http.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);

let keys = 0;
const newKey = () => `key-${++keys}`;
const keyHeader = (key: string) => ({ "Idempotency-Key": key });
const wiresOf = async (client: Client) => (await client.get("/inbox?limit=100")).body.wires.length;

/** Each POST operation that supports idempotency keys, a client for it, and a valid body. */
const POSTS: [string, () => Client, () => unknown][] = [
  ["/wires", () => alice, () => ({ to: "bob", text: "once" })],
  ["/knocks", () => alice, () => ({ handle: "bob", intro: "once" })],
  ["/spaces", () => alice, () => ({ slug: `once-${keys}`, visibility: "public" })],
  ["/schemas", () => alice, () => ({ subject: "@alice/once", json_schema: { title: "once" } })],
  ["/handles", () => alice.owner, () => ({ slug: `once-${keys}` })],
];

describe("an idempotency key", () => {
  // [D2-idempotent-once]
  it.each(POSTS)(
    "makes a repeated POST %s return the first response without a second effect",
    async (path, client, make) => {
      const key = newKey();
      const body = make();
      const first = await client().post(path, body, keyHeader(key));
      expect(first.status).toBe(201);
      const again = await client().post(path, body, keyHeader(key));
      expect(again).toMatchObject({ status: 201, body: first.body });
      const other = await client().post(path, body, keyHeader(newKey()));
      if (other.status === 201 && path !== "/knocks") expect(other.body).not.toEqual(first.body);
    },
  );

  // [D2-idempotent-once]
  it("has one effect for many concurrent requests", async () => {
    const before = await wiresOf(bob);
    const key = newKey();
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => alice.post("/wires", { to: "bob", text: "race" }, keyHeader(key))),
    );
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await wiresOf(bob)).toBe(before + 1);
    const spaces = await Promise.all(
      Array.from({ length: 20 }, () =>
        alice.post("/spaces", { slug: "race", visibility: "public" }, keyHeader(key)),
      ),
    );
    expect(new Set(spaces.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  });

  // [D2-idempotency-other-body]
  it("requires an equal body, compared as parsed JSON", async () => {
    const key = newKey();
    const first = await alice.post(
      "/wires",
      '{"to":"bob","payload":{"a":1,"b":[1.0,"\\u00e9"]}}',
      keyHeader(key),
    );
    const same = await alice.post(
      "/wires",
      ' { "payload" : {"b":[1,"é"], "a":1e0}, "to":"bob" }',
      keyHeader(key),
    );
    expect(same.body).toEqual(first.body);
    for (const body of [
      { to: "bob", payload: { a: 1, b: ["é", 1] } },
      { to: "@bob", payload: { a: 1, b: [1, "é"] } },
      { to: "bob", payload: { a: "1", b: [1, "é"] } },
      { to: "bob", text: "x", payload: { a: 1, b: [1, "é"] } },
    ]) {
      const { errors } = expectError(await alice.post("/wires", body, keyHeader(key)), "VALIDATION_ERROR");
      expect(errors[0].message).toContain("different request");
    }
  });

  // [D2-idempotency-scope]
  it("is independent for each caller and each operation", async () => {
    const key = newKey();
    const mine = await alice.post("/wires", { to: "bob", text: "x" }, keyHeader(key));
    const theirs = await bob.post("/wires", { to: "bob", text: "x" }, keyHeader(key));
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(mine.body.id);
    expect((await alice.post("/knocks", { handle: "bob", intro: "x" }, keyHeader(key))).status).toBe(201);
  });

  // [D2-idempotency-malformed]
  it.each(["a b", "é", "\u0001", "x".repeat(129), "tab\there"])(
    "is rejected if it is malformed: %j",
    async (key) => {
      const bytes = JSON.stringify({ to: "bob", text: "x" });
      const head = `POST /v1/wires HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.key}\r\nContent-Type: application/json`;
      const request = `${head}\r\nIdempotency-Key: ${key}\r\nContent-Length: ${bytes.length}\r\n\r\n${bytes}`;
      const reply = await sendRawRequest(daemon.origin, Buffer.from(request, "utf8"));
      expect(reply?.status).toBe(400);
      expect(JSON.parse(reply!.text).code).toBe("VALIDATION_ERROR");
    },
  );

  // [D2-idempotency-malformed]
  it("is rejected if it is empty or sent twice", async () => {
    const bytes = JSON.stringify({ to: "bob", text: "x" });
    for (const lines of ["Idempotency-Key:", "Idempotency-Key: a\r\nIdempotency-Key: b"]) {
      const head = `POST /v1/wires HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.key}\r\nContent-Type: application/json`;
      const reply = await sendRawRequest(
        daemon.origin,
        `${head}\r\n${lines}\r\nContent-Length: ${bytes.length}\r\n\r\n${bytes}`,
      );
      expect(reply?.status).toBe(400);
    }
  });

  // [D2-idempotency-malformed]
  it("accepts 1 to 128 visible ASCII characters", async () => {
    for (const key of ["!", "~".repeat(128), `"a,b;c='d'\\{}`]) {
      const first = await alice.post("/wires", { to: "bob", text: "x" }, keyHeader(key));
      expect(first.status).toBe(201);
      expect((await alice.post("/wires", { to: "bob", text: "x" }, keyHeader(key))).body).toEqual(first.body);
    }
  });

  // [D2-idempotency-success]
  it("stores only successful responses", async () => {
    const key = newKey();
    expectError(await alice.post("/wires", { to: "later", text: "x" }, keyHeader(key)), "NOT_FOUND");
    expectError(await alice.post("/wires", { to: "later", text: "" }, keyHeader(key)), "VALIDATION_ERROR");
    await daemon.createAgent("later");
    const sent = await alice.post("/wires", { to: "later", text: "x" }, keyHeader(key));
    expect(sent.status).toBe(201);
    expect((await alice.post("/wires", { to: "later", text: "x" }, keyHeader(key))).body).toEqual(sent.body);
  });

  // [D2-idempotency-day] [D2-idempotent-once]
  it("expires after 24 hours, also across restarts", async () => {
    const key = newKey();
    const send = () => alice.post("/wires", { to: "bob", text: "day" }, keyHeader(key));
    const first = (await send()).body;
    const backdateKey = (hours: number) =>
      withDatabase(daemon.dataDir, (db) =>
        db.run("UPDATE idempotency SET created_at = ? WHERE key = ?", Date.now() - hours * 3_600_000, key),
      );
    await backdateKey(23.99);
    await daemon.restart();
    expect((await send()).body).toEqual(first);
    await backdateKey(24.01);
    const second = (await send()).body;
    expect(second.id).not.toBe(first.id);
    expect((await send()).body).toEqual(second);
  });

  // [D2-idempotency-keys]
  it("is ignored by POST /keys: each call issues another key", async () => {
    const key = newKey();
    const issue = () => alice.owner.post("/keys", { handle_id: alice.id }, keyHeader(key));
    const [first, second] = [await issue(), await issue()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.key).not.toBe(second.body.key);
    const rows = await withDatabase(daemon.dataDir, (db) => db.all("SELECT * FROM idempotency"));
    expect(JSON.stringify(rows)).not.toContain(first.body.key);
  });

  // [D2-idempotent-once]
  it("returns the first response even if the wire was removed or the space is full by now", async () => {
    const key = newKey();
    const body = { to: "bob", text: "gone" };
    const first = await alice.post("/wires", body, keyHeader(key));
    await alice.delete(`/wires/${first.body.id}`);
    expect((await alice.post("/wires", body, keyHeader(key))).body).toEqual(first.body);
    await bob.put("/profile", { inbox_rule: { allow_text: false } });
    expect((await alice.post("/wires", body, keyHeader(key))).body).toEqual(first.body);
    await bob.put("/profile", { inbox_rule: { allow_text: true } });
  });
});
