import { beforeAll, describe, expect, it } from "vitest";
import { type AgentClient, type Client, NO_LIMITS } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { withDatabase } from "../harness/database.js";
import { expectError } from "../harness/envelope.js";

const { daemon, alice } = await hostedFixture(["alice"], {
  args: [...NO_LIMITS, "--limit", "knocks_per_hour=0"],
});
let bob: AgentClient;
let nobody: Client;

const schema = { type: "object", properties: { price: { type: "number" } }, required: ["price"] };

beforeAll(async () => {
  bob = await daemon.createAgent("bob", { inbox_rule: { allow_text: false, inline_schema: schema } });
  nobody = daemon.client();
});

describe("the error codes, each with its status and the same envelope", () => {
  // [S7-validation-error] [S7-envelope]
  it("return 400 VALIDATION_ERROR for a malformed request", async () => {
    const { errors } = expectError(await alice.post("/wires", { to: "not a slug" }), "VALIDATION_ERROR");
    expect(errors[0]).toEqual({ instancePath: "/to", keyword: "pattern", message: expect.any(String) });
  });

  // [S7-unauthorized] [S4-key-required]
  it("return 401 UNAUTHORIZED without a key, and with a key that is not valid", async () => {
    const clients = [
      nobody,
      daemon.client("x"),
      daemon.client(`wr_${"0".repeat(43)}`),
      daemon.client(alice.key.slice(1)),
    ];
    for (const client of clients) {
      const reply = await client.get("/inbox");
      expectError(reply, "UNAUTHORIZED");
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    }
  });

  // [S7-forbidden]
  it("return 403 FORBIDDEN for resources of others, and for an invalid ID token", async () => {
    const wire = await alice.post("/wires", { to: "alice", text: "mine" });
    expectError(await bob.get(`/wires/${wire.body.id}`), "FORBIDDEN");
    for (const client of [nobody, daemon.client("x.y.z"), alice]) {
      expectError(await client.get("/handles"), "FORBIDDEN");
    }
  });

  // [S7-voting-disabled]
  it("return 403 VOTING_DISABLED for a vote on a direct message", async () => {
    const wire = await alice.post("/wires", { to: "alice", text: "no vote" });
    expectError(await alice.put(`/wires/${wire.body.id}/vote`), "VOTING_DISABLED");
  });

  // [S7-not-found]
  it("return 404 NOT_FOUND for resources that are missing or private", async () => {
    await bob.post("/spaces", { slug: "hidden", visibility: "private" });
    for (const path of [
      "/wires/nothing",
      "/spaces/nothing",
      "/spaces/hidden",
      "/spaces/hidden/wires",
      "/threads/x",
    ]) {
      expectError(await alice.get(path), "NOT_FOUND");
    }
  });

  // [S7-schema-validation-failed]
  it("return 422 SCHEMA_VALIDATION_FAILED for a payload that violates the rule", async () => {
    const body = expectError(
      await alice.post("/wires", { to: "bob", payload: { price: "low" } }),
      "SCHEMA_VALIDATION_FAILED",
    );
    expect(body).toMatchObject({
      rule_source: "inbox",
      errors: [{ instancePath: "/price", keyword: "type", message: expect.any(String) }],
    });
  });

  // [S7-not-stored]
  it("store nothing after a 422, so that the caller can correct and resend the wire", async () => {
    const before = (await bob.get("/inbox")).body;
    expect((await alice.post("/wires", { to: "bob", payload: {} })).status).toBe(422);
    expect((await bob.get("/inbox")).body).toEqual(before);
    const sent = await alice.post("/wires", { to: "bob", payload: { price: 1 } });
    expect(sent.status).toBe(201);
    const { wires } = (await bob.get(`/inbox?cursor=${before.next_cursor}`)).body;
    expect(wires).toMatchObject([{ id: sent.body.id, payload: { price: 1 } }]);
  });

  // [S7-rate-limited] [S8-exceeded]
  it("return 429 RATE_LIMITED above a limit", async () => {
    expectError(await alice.post("/knocks", { handle: "bob", intro: "hi" }), "RATE_LIMITED");
  });

  // [D2-internal] [D2-request-id-log]
  it("return 500 INTERNAL for a bug of the service, and log the cause", async () => {
    await withDatabase(daemon.dataDir, (db) => db.run("ALTER TABLE blocks RENAME TO lost"));
    const reply = await alice.get("/blocks");
    await withDatabase(daemon.dataDir, (db) => db.run("ALTER TABLE lost RENAME TO blocks"));
    const { message } = expectError(reply, "INTERNAL");
    expect(message).not.toContain("blocks");
    const id = reply.headers.get("x-request-id")!;
    await expect
      .poll(() =>
        daemon
          .log()
          .split("\n")
          .filter((line) => line.includes(id))
          .join(),
      )
      .toMatch(/no such table: blocks|relation \\"blocks\\" does not exist/);
    expect((await alice.get("/blocks")).status).toBe(200);
  });
});

describe("the error envelope", () => {
  // [S4-json] [S1.6-one-envelope]
  it("is the same for agent operations and dashboard operations", async () => {
    for (const reply of [
      await nobody.get("/inbox"),
      await nobody.get("/handles"),
      await alice.owner.post("/handles", {}),
    ]) {
      expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(Object.keys(reply.body).slice(0, 2)).toEqual(["code", "message"]);
    }
  });

  // [S7-envelope]
  it("lists a limited number of reasons for a body with thousands of violations", async () => {
    const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]));
    const { errors } = expectError(await alice.post("/wires", fields), "VALIDATION_ERROR");
    expect(errors.length).toBeGreaterThan(1);
    expect(errors.length).toBeLessThanOrEqual(100);
  });
});
