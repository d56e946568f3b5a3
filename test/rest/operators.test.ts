import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  readInboxToEnd,
  readWire,
  sendWire,
} from "../harness/api-helpers.js";
import { runProcess } from "../harness/command.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";
import { databaseFlags } from "../harness/database.js";
import { hold } from "../harness/held-requests.js";
import { mcpUrl } from "../harness/mcp.js";
import { runOperatorCommand as tryOperator } from "../harness/operator.js";

const { daemon, oscar, mallory, bob } = await daemonFixture(["oscar", "mallory", "bob"]);

beforeAll(async () => {
  await operator("grant", "@oscar");
});

/** Runs `wireroom operator …` on the daemon's data folder. Throws if the command fails. */
async function operator(...args: string[]): Promise<Body> {
  const ended = await tryOperator(daemon, ...args);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ended.stdout);
}

const suspend = (by: AgentClient, slug: string, suspended = true) =>
  by.put(`/operator/handles/${slug}`, { suspended });
const logOf = async (agent: AgentClient, action: string): Promise<Body[]> =>
  (await expectOk(agent.owner.get(`/audit?action=${action}`))).entries;

describe("wireroom operator", () => {
  // [D9-operator-host] [D9-operator-only]
  it("grants and revokes the role while the daemon runs, with immediate effect", async () => {
    const carol = await daemon.createAgent("carol");
    await expectRefused(suspend(carol, "no-such-handle"), "FORBIDDEN");
    expect(await operator("grant", "carol")).toEqual({ handle: "carol", operator: true, changed: true });
    await expectRefused(suspend(carol, "no-such-handle"), "NOT_FOUND");
    expect(await operator("grant", "@carol")).toEqual({ handle: "carol", operator: true, changed: false });
    expect((await operator("list")).operators).toEqual([
      { handle: "carol", since: expect.stringMatching(/Z$/) },
      { handle: "oscar", since: expect.stringMatching(/Z$/) },
    ]);
    expect(await operator("revoke", "carol")).toMatchObject({ operator: false, changed: true });
    await expectRefused(suspend(carol, "no-such-handle"), "FORBIDDEN");
    expect(await operator("revoke", "carol")).toMatchObject({ operator: false, changed: false });
    const entries = [
      ...(await logOf(carol, "operator.revoked")),
      ...(await logOf(carol, "operator.granted")),
    ];
    expect(entries).toMatchObject([
      { actor: "host", handle: "carol", subject: "@carol", outcome: "ok", request_id: null },
      { actor: "host", handle: "carol", subject: "@carol", outcome: "ok", request_id: null },
    ]);
  });

  // [D9-operator-host]
  it("loses no write when the command and the daemon write concurrently", async () => {
    const slugs = Array.from({ length: 4 }, (_, n) => `both-${n}`);
    for (const slug of slugs) await daemon.createAgent(slug);
    let busy = true;
    const sending = Promise.all(
      Array.from({ length: 8 }, async () => {
        let sent = 0;
        for (; busy; sent++) await sendWire(mallory, "bob");
        return sent;
      }),
    );
    await Promise.all(slugs.map((slug) => operator("grant", slug)));
    busy = false;
    expect(Math.min(...(await sending))).toBeGreaterThan(0);
    const { operators } = await operator("list");
    expect(operators.map(({ handle }: Body) => handle)).toEqual([...slugs, "oscar"]);
    for (const slug of slugs) await operator("revoke", slug);
  });

  // [D9-operator-host]
  it("works while the daemon is stopped, and its effect survives SIGKILL", async () => {
    const dan = await daemon.createAgent("dan");
    await daemon.kill();
    await operator("grant", "dan");
    await daemon.restart();
    await expectRefused(suspend(dan, "no-such-handle"), "NOT_FOUND");
    await operator("revoke", "dan");
    await daemon.kill();
    await daemon.restart();
    await expectRefused(suspend(dan, "no-such-handle"), "FORBIDDEN");
  });

  // [D9-operator-host]
  it("reads the database URL from the same environment variable as the daemon", async () => {
    const [, given] = await databaseFlags(daemon.dataDir, []);
    const env = { WIREROOM_DATABASE_URL: given ?? `sqlite:${join(daemon.dataDir, "wireroom.db")}` };
    const { stdout } = await runProcess(["operator", "list", "--json"], { env });
    expect(JSON.parse(stdout)).toEqual(await operator("list"));
    expect(JSON.parse(stdout).operators).toMatchObject([{ handle: "oscar" }]);
  });

  // [D9-operator-host]
  it("reads no other settings, and reports an invalid one as such", async () => {
    const [, given] = await databaseFlags(daemon.dataDir, []);
    const url = given ?? `sqlite:${join(daemon.dataDir, "wireroom.db")}`;
    const env = { WIREROOM_DATABASE_URL: url, WIREROOM_PORT: "x", WIREROOM_LIMITS: "no" };
    expect((await runProcess(["operator", "list"], { env })).code).toBe(0);
    const empty = await runProcess(["operator", "list", "--database-url", "", "--json"]);
    expect(empty).toMatchObject({ code: 2, stdout: "" });
    expect(JSON.parse(empty.stderr)).toMatchObject({
      code: "USAGE",
      message: expect.stringMatching(/^--database-url: must not be empty/),
    });
  });

  // [D9-operator-host]
  it("reports an error in one line, and creates no database", async () => {
    const unknown = await tryOperator(daemon, "grant", "no-such-handle");
    expect(unknown).toMatchObject({ code: 5, stdout: "" });
    expect(JSON.parse(unknown.stderr)).toMatchObject({ code: "NOT_FOUND" });
    const nowhere = await runProcess(["operator", "list", "--data-dir", `${daemon.dataDir}/nowhere`]);
    expect(nowhere).toMatchObject({ code: 1, stdout: "" });
    expect(nowhere.stderr).toContain("there is no database");
    expect((await runProcess(["operator", "grant"])).code).toBe(2);
  });

  // [D9-operator-host] [S2.5-no-operator]
  it("is the only way to make an operator: the API accepts no such field", async () => {
    for (const field of ["operator", "is_operator", "operator_at"]) {
      await expectRefused(
        mallory.owner.post("/handles", { slug: "sneaky", [field]: true }),
        "VALIDATION_ERROR",
      );
      await expectRefused(mallory.put("/profile", { [field]: true }), "VALIDATION_ERROR");
    }
    const document = await expectOk(daemon.client().get("/openapi.json"));
    const paths = Object.keys(document.paths).filter((path) => path.startsWith("/operator"));
    expect(paths.sort()).toEqual([
      "/operator/handles",
      "/operator/handles/{slug}",
      "/operator/status",
      "/operator/wires",
      "/operator/wires/{id}",
    ]);
  });
});

describe("DELETE /operator/wires/{id}", () => {
  const remove = (by: AgentClient, wire: Body) => by.delete(`/operator/wires/${encodeURIComponent(wire.id)}`);
  const notices = async (of: AgentClient) => (await expectOk(of.get("/inbox"))).tombstone_notices;

  // [D9-operator-removes] [D9-audit-recorded]
  it("removes a direct message between others, notifies both and logs it for both", async () => {
    await Promise.all([mallory, bob].map(readInboxToEnd));
    const wire = await sendWire(mallory, "bob", { text: "scam", payload: { a: 1 } });
    const removed = await expectOk(remove(oscar, wire));
    expect(removed).toMatchObject({ id: wire.id, tombstone: { removed_by: "operator" } });
    const notice = {
      wire_id: wire.id,
      thread_id: wire.thread_id,
      removed_by: "operator",
      removed_at: removed.tombstone.at,
    };
    expect(await notices(mallory)).toEqual([notice]);
    expect(await notices(bob)).toEqual([notice]);
    const { tombstone } = removed;
    expect(await readWire(bob, wire)).toMatchObject({ text_body: null, payload: null, tombstone });
    expect(await expectOk(remove(oscar, { id: wire.uri }))).toEqual(removed);
    for (const agent of [mallory, oscar]) {
      expect(await logOf(agent, "wire.removed")).toMatchObject([
        { actor: "@oscar", handle: agent.slug, subject: `wire:${wire.id}` },
      ]);
    }
    expect(await logOf(bob, "wire.removed")).toEqual([]);
  });

  // [D9-operator-removes]
  it("removes a wire from a private space that the operator cannot read, without showing it", async () => {
    await createSpace(mallory, "hidden", { visibility: "private" });
    const wire = await sendWire(mallory, "#hidden", { text: "secret plan" });
    await expectRefused(oscar.get(`/wires/${wire.id}`), "NOT_FOUND");
    expect(JSON.stringify(await expectOk(remove(oscar, wire)))).not.toContain("secret");
    expect((await readWire(mallory, wire)).tombstone.removed_by).toBe("operator");
  });

  // [D9-operator-removes] [D5-removal-first]
  it("keeps the first of several concurrent tombstones", async () => {
    for (let round = 0; round < 5; round++) {
      const wire = await sendWire(mallory, "bob");
      const [one, two] = await Promise.all([
        expectOk(remove(oscar, wire)),
        expectOk(mallory.delete(`/wires/${wire.id}`)),
      ]);
      expect(one).toEqual(two);
    }
  });

  // [D9-operator-only]
  it("returns 403 to other handles, and 404 for an unknown wire", async () => {
    const wire = await sendWire(mallory, "bob");
    for (const by of [mallory, bob]) {
      await expectRefused(remove(by, wire), "FORBIDDEN");
      await expectRefused(remove(by, { id: "no-such-wire" }), "FORBIDDEN");
    }
    await expectRefused(remove(oscar, { id: "no-such-wire" }), "NOT_FOUND");
    await expectRefused(oscar.owner.delete(`/operator/wires/${wire.id}`), "UNAUTHORIZED");
    expect((await readWire(bob, wire)).tombstone).toBeNull();
  });
});

describe("PUT /operator/handles/{slug}", () => {
  // [D9-operator-suspends]
  it("suspends all keys of a handle, and reactivates them", async () => {
    const eve = await daemon.createAgent("eve");
    const wire = await sendWire(eve, "bob", { text: "stays" });
    await expectOk(eve.get("/profile"));
    expect(await expectOk(suspend(oscar, "@eve"))).toEqual({ slug: "eve", suspended: true });
    const fresh = await expectOk(eve.owner.post("/keys", { handle_id: eve.id }), 201);
    for (const client of [eve, daemon.client(fresh.key)]) {
      await expectRefused(client.get("/profile"), "FORBIDDEN");
      await expectRefused(client.get("/inbox"), "FORBIDDEN");
      await expectRefused(client.post("/wires", { to: "bob", text: "x" }), "FORBIDDEN");
      await expectRefused(client.get("/wires/no-such-wire"), "FORBIDDEN");
    }
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const overMcp = await fetch(mcpUrl(daemon), {
      method: "POST",
      headers: { authorization: `Bearer ${eve.key}`, "content-type": "application/json" },
      body: JSON.stringify(ping),
    });
    expect({ status: overMcp.status, body: await overMcp.json() }).toMatchObject({
      status: 403,
      body: { code: "FORBIDDEN" },
    });
    expect((await readWire(bob, wire)).text_body).toBe("stays");
    await sendWire(bob, "eve", { text: "waits for you" });
    await daemon.restart();
    await expectRefused(eve.get("/profile"), "FORBIDDEN");
    expect(await expectOk(suspend(oscar, "eve", false))).toEqual({ slug: "eve", suspended: false });
    expect((await expectOk(eve.get("/inbox"))).wires).toMatchObject([{ text_body: "waits for you" }]);
  });

  // [D9-audit-recorded]
  it("is logged once, for the account of the handle and of the operator", async () => {
    const fay = await daemon.createAgent("fay");
    for (const suspended of [true, true, false, false]) await expectOk(suspend(oscar, "fay", suspended));
    for (const action of ["handle.suspended", "handle.restored"]) {
      expect(await logOf(fay, action)).toMatchObject([{ actor: "@oscar", handle: "fay", subject: "@fay" }]);
      const own = (await logOf(oscar, action)).filter(({ subject }) => subject === "@fay");
      expect(own).toMatchObject([{ actor: "@oscar", handle: "oscar" }]);
    }
  });

  // [D9-operator-suspends]
  it("ends the handle's long-polls, and its concurrent requests have no later effect", async () => {
    const gus = await daemon.createAgent("gus");
    const held = await hold(daemon, () => gus.get("/inbox?wait=30"));
    const began = performance.now();
    const busy = Array.from({ length: 20 }, async (_, n) => {
      return (await gus.put("/profile", { bio: `bio ${n}` })).status;
    });
    await expectOk(suspend(oscar, "gus"));
    await expectRefused(held(), "FORBIDDEN");
    expect(performance.now() - began).toBeLessThan(15_000);
    for (const status of await Promise.all(busy)) expect([200, 403]).toContain(status);
    await expectRefused(gus.put("/profile", { bio: "too late" }), "FORBIDDEN");
    await expectOk(suspend(oscar, "gus", false));
    expect((await expectOk(gus.get("/profile"))).bio).not.toBe("too late");
  });

  // [D9-operator-only]
  it("returns an error to other handles, for unknown handles, and for the operator itself", async () => {
    await expectRefused(suspend(mallory, "bob"), "FORBIDDEN");
    await expectRefused(suspend(oscar, "no-such-handle"), "NOT_FOUND");
    await expectRefused(suspend(oscar, "oscar"), "VALIDATION_ERROR");
    for (const body of [{}, { suspended: "yes" }, { suspended: true, until: "tomorrow" }]) {
      await expectRefused(oscar.put("/operator/handles/bob", body), "VALIDATION_ERROR");
    }
    await expectOk(bob.get("/profile"));
  });

  // [D9-operator-account]
  it("with `account` suspends every handle of the account, which gets no new one, and restores them", async () => {
    const ida = await daemon.createAgent("ida");
    const two = await daemon.createAgent("ida-two", {}, "ida");
    const change = (suspended: boolean, reason?: string) =>
      oscar.put("/operator/handles/ida", { suspended, account: true, reason });
    const held = await hold(daemon, () => two.get("/inbox?wait=30"));
    expect(await expectOk(change(true, "spam"))).toEqual({ slug: "ida", suspended: true });
    await expectRefused(held(), "FORBIDDEN");
    const { token } = (await two.owner.post("/handles/ida-two/token")).body;
    expect(token).toBeUndefined();
    for (const agent of [ida, two]) await expectRefused(agent.get("/profile"), "FORBIDDEN");
    await expectRefused(ida.owner.post("/handles", { slug: "ida-three" }), "FORBIDDEN");
    const { handles } = await expectOk(ida.owner.get("/handles"));
    expect(handles.map(({ slug, suspended }: Body) => [slug, suspended])).toEqual([
      ["ida", true],
      ["ida-two", true],
    ]);
    expect(await expectOk(oscar.get("/operator/handles/ida-two"))).toMatchObject({
      account_suspended: true,
      suspended_by: "@oscar",
      suspended_reason: "spam",
    });
    await expectOk(change(true, "again"));
    expect(await logOf(ida, "account.suspended")).toMatchObject([
      { actor: "@oscar", handle: null, subject: "@ida", reason: "spam" },
    ]);
    expect(await logOf(ida, "handle.suspended")).toEqual([]);
    expect(await logOf(oscar, "account.suspended")).toMatchObject([{ handle: "oscar", subject: "@ida" }]);
    // A handle alone is restored, and its account is not.
    await expectOk(suspend(oscar, "ida", false));
    await expectOk(ida.get("/profile"));
    await expectRefused(ida.owner.post("/handles", { slug: "ida-three" }), "FORBIDDEN");
    await expectOk(change(false));
    expect((await expectOk(two.get("/profile"))).suspended).toBe(false);
    await daemon.createAgent("ida-three", {}, "ida");
    expect(await logOf(ida, "account.restored")).toHaveLength(1);
    const own = { suspended: true, account: true };
    await daemon.createAgent("oscar-two", {}, "oscar");
    await expectRefused(oscar.put("/operator/handles/oscar-two", own), "VALIDATION_ERROR");
    await expectRefused(mallory.put("/operator/handles/bob", own), "FORBIDDEN");
  });

  // [D9-operator-only]
  it("stops working when the operator is suspended", async () => {
    const hal = await daemon.createAgent("hal");
    await operator("grant", "hal");
    await expectOk(suspend(oscar, "hal"));
    await expectRefused(suspend(hal, "bob"), "FORBIDDEN");
    await expectOk(bob.get("/profile"));
  });
});

// [D9-operator-only]
it("does not offer operator operations as MCP tools", async () => {
  const { toolDefinitions } = await import("../../src/generate/mcp.js");
  expect(toolDefinitions.length).toBeLessThanOrEqual(17);
  expect(toolDefinitions.filter(({ name }) => /operator|suspend/.test(name))).toEqual([]);
});
