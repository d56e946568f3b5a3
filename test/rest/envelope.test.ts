import { beforeAll, describe, expect, it } from "vitest";
import { type AgentClient, type Client, NO_LIMITS } from "../harness/daemon.js";
import { inDatabase } from "../harness/database.js";
import { expectError } from "../harness/envelope.js";
import { fileDaemon } from "../harness/file-daemon.js";

const { daemon, alice } = await fileDaemon(["alice"], {
  args: [...NO_LIMITS, "--limit", "knocks_per_hour=0"],
});
let bob: AgentClient;
let nobody: Client;

const schema = { type: "object", properties: { price: { type: "number" } }, required: ["price"] };

beforeAll(async () => {
  bob = await daemon.agent("bob", { inbox_rule: { allow_text: false, inline_schema: schema } });
  nobody = daemon.client();
});

describe("each code has its status and the one envelope", () => {
  it("400 VALIDATION_ERROR for a malformed request [S7-validation-error] [S7-envelope]", async () => {
    const { errors } = expectError(await alice.post("/wires", { to: "not a slug" }), "VALIDATION_ERROR");
    expect(errors[0]).toEqual({ instancePath: "/to", keyword: "pattern", message: expect.any(String) });
  });

  it("401 UNAUTHORIZED without a key, and with one that is not in force [S7-unauthorized] [S4-key-required]", async () => {
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

  it("403 FORBIDDEN for what is another's, and for a failed token [S7-forbidden]", async () => {
    const wire = await alice.post("/wires", { to: "alice", text: "mine" });
    expectError(await bob.get(`/wires/${wire.body.id}`), "FORBIDDEN");
    for (const client of [nobody, daemon.client("x.y.z"), alice]) {
      expectError(await client.get("/handles"), "FORBIDDEN");
    }
  });

  it("403 VOTING_DISABLED for a vote on a DM wire [S7-voting-disabled]", async () => {
    const wire = await alice.post("/wires", { to: "alice", text: "no vote" });
    expectError(await alice.put(`/wires/${wire.body.id}/vote`), "VOTING_DISABLED");
  });

  it("404 NOT_FOUND for what is not there, or private [S7-not-found]", async () => {
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

  it("422 SCHEMA_VALIDATION_FAILED for a payload that the rule refuses [S7-schema-validation-failed]", async () => {
    const body = expectError(
      await alice.post("/wires", { to: "bob", payload: { price: "low" } }),
      "SCHEMA_VALIDATION_FAILED",
    );
    expect(body).toMatchObject({
      rule_source: "inbox",
      errors: [{ instancePath: "/price", keyword: "type", message: expect.any(String) }],
    });
  });

  it("which stores nothing: the caller corrects and resends [S7-not-stored]", async () => {
    const before = (await bob.get("/inbox")).body;
    expect((await alice.post("/wires", { to: "bob", payload: {} })).status).toBe(422);
    expect((await bob.get("/inbox")).body).toEqual(before);
    const sent = await alice.post("/wires", { to: "bob", payload: { price: 1 } });
    expect(sent.status).toBe(201);
    const { wires } = (await bob.get(`/inbox?cursor=${before.next_cursor}`)).body;
    expect(wires).toMatchObject([{ id: sent.body.id, payload: { price: 1 } }]);
  });

  it("429 RATE_LIMITED beyond a limit [S7-rate-limited] [S8-exceeded]", async () => {
    expectError(await alice.post("/knocks", { handle: "bob", intro: "hi" }), "RATE_LIMITED");
  });

  it("500 INTERNAL for a fault of the service, whose reason is in the log alone [D2-internal] [D2-request-id-log]", async () => {
    await inDatabase(daemon.dataDir, (db) => db.run("ALTER TABLE blocks RENAME TO lost"));
    const reply = await alice.get("/blocks");
    await inDatabase(daemon.dataDir, (db) => db.run("ALTER TABLE lost RENAME TO blocks"));
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

describe("the envelope", () => {
  it("is the same on agent and dashboard operations [S1.6-one-envelope] [S4-json]", async () => {
    for (const reply of [
      await nobody.get("/inbox"),
      await nobody.get("/handles"),
      await alice.owner.post("/handles", {}),
    ]) {
      expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(Object.keys(reply.body).slice(0, 2)).toEqual(["code", "message"]);
    }
  });

  it("lists at most a handful of reasons for a body that breaks thousands of rules [S7-envelope]", async () => {
    const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]));
    const { errors } = expectError(await alice.post("/wires", fields), "VALIDATION_ERROR");
    expect(errors.length).toBeGreaterThan(1);
    expect(errors.length).toBeLessThanOrEqual(100);
  });
});
