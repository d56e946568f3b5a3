import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { wireroom } from "../harness/command.js";
import type { AgentClient, Body } from "../harness/daemon.js";
import { databaseFlags } from "../harness/database.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { mcpUrl } from "../harness/mcp.js";
import { operator as tryOperator } from "../harness/operator.js";
import { createSpace, emptyInbox, ok, refused, send, wireOf } from "../harness/talk.js";

const { daemon, oscar, mallory, bob } = await fileDaemon(["oscar", "mallory", "bob"]);

beforeAll(async () => {
  await operator("grant", "@oscar");
});

/** `wireroom operator …` on the daemon's folder; it must succeed. */
async function operator(...args: string[]): Promise<Body> {
  const ended = await tryOperator(daemon, ...args);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ended.stdout);
}

const suspend = (by: AgentClient, slug: string, suspended = true) =>
  by.put(`/operator/handles/${slug}`, { suspended });
const logOf = async (agent: AgentClient, action: string): Promise<Body[]> =>
  (await ok(agent.owner.get(`/audit?action=${action}`))).entries;

describe("wireroom operator", () => {
  it("grants and revokes while the daemon runs, which honours it at once [D9-operator-host] [D9-operator-only]", async () => {
    const carol = await daemon.agent("carol");
    await refused(suspend(carol, "no-such-handle"), "FORBIDDEN");
    expect(await operator("grant", "carol")).toEqual({ handle: "carol", operator: true, changed: true });
    await refused(suspend(carol, "no-such-handle"), "NOT_FOUND");
    expect(await operator("grant", "@carol")).toEqual({ handle: "carol", operator: true, changed: false });
    expect((await operator("list")).operators).toEqual([
      { handle: "carol", since: expect.stringMatching(/Z$/) },
      { handle: "oscar", since: expect.stringMatching(/Z$/) },
    ]);
    expect(await operator("revoke", "carol")).toMatchObject({ operator: false, changed: true });
    await refused(suspend(carol, "no-such-handle"), "FORBIDDEN");
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

  it("loses no write of the daemon's, nor its own, when both write at once [D9-operator-host]", async () => {
    const slugs = Array.from({ length: 4 }, (_, n) => `both-${n}`);
    for (const slug of slugs) await daemon.agent(slug);
    let busy = true;
    const sending = Promise.all(
      Array.from({ length: 8 }, async () => {
        let sent = 0;
        for (; busy; sent++) await send(mallory, "bob");
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

  it("works while the daemon is stopped, and a kill -9 takes nothing back [D9-operator-host]", async () => {
    const dan = await daemon.agent("dan");
    await daemon.kill();
    await operator("grant", "dan");
    await daemon.restart();
    await refused(suspend(dan, "no-such-handle"), "NOT_FOUND");
    await operator("revoke", "dan");
    await daemon.kill();
    await daemon.restart();
    await refused(suspend(dan, "no-such-handle"), "FORBIDDEN");
  });

  it("finds the database by the variable that the daemon finds it by [D9-operator-host]", async () => {
    const [, given] = await databaseFlags(daemon.dataDir, []);
    const env = { WIREROOM_DATABASE_URL: given ?? `sqlite:${join(daemon.dataDir, "wireroom.db")}` };
    const { stdout } = await wireroom(["operator", "list", "--json"], { env });
    expect(JSON.parse(stdout)).toEqual(await operator("list"));
    expect(JSON.parse(stdout).operators).toMatchObject([{ handle: "oscar" }]);
  });

  it("says what is wrong in one line, and makes no database where there is none [D9-operator-host]", async () => {
    const unknown = await tryOperator(daemon, "grant", "no-such-handle");
    expect(unknown).toMatchObject({ code: 5, stdout: "" });
    expect(JSON.parse(unknown.stderr)).toMatchObject({ code: "NOT_FOUND" });
    const nowhere = await wireroom(["operator", "list", "--data-dir", `${daemon.dataDir}/nowhere`]);
    expect(nowhere).toMatchObject({ code: 1, stdout: "" });
    expect(nowhere.stderr).toContain("there is no database");
    expect((await wireroom(["operator", "grant"])).code).toBe(2);
  });

  it("is the only way: no field of the API makes an operator [D9-operator-host] [S2.5-no-operator]", async () => {
    for (const field of ["operator", "is_operator", "operator_at"]) {
      await refused(mallory.owner.post("/handles", { slug: "sneaky", [field]: true }), "VALIDATION_ERROR");
      await refused(mallory.put("/profile", { [field]: true }), "VALIDATION_ERROR");
    }
    const document = await ok(daemon.client().get("/openapi.json"));
    const paths = Object.keys(document.paths).filter((path) => path.startsWith("/operator"));
    expect(paths.sort()).toEqual(["/operator/handles/{slug}", "/operator/wires/{id}"]);
  });
});

describe("DELETE /operator/wires/{id}", () => {
  const remove = (by: AgentClient, wire: Body) => by.delete(`/operator/wires/${encodeURIComponent(wire.id)}`);
  const notices = async (of: AgentClient) => (await ok(of.get("/inbox"))).tombstone_notices;

  it("removes a DM of others and tells both of them, and their logs [D9-operator-removes] [D9-audit-recorded]", async () => {
    await Promise.all([mallory, bob].map(emptyInbox));
    const wire = await send(mallory, "bob", { text: "scam", payload: { a: 1 } });
    const removed = await ok(remove(oscar, wire));
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
    expect(await wireOf(bob, wire)).toMatchObject({ text_body: null, payload: null, tombstone });
    expect(await ok(remove(oscar, { id: wire.uri }))).toEqual(removed);
    for (const agent of [mallory, oscar]) {
      expect(await logOf(agent, "wire.removed")).toMatchObject([
        { actor: "@oscar", handle: agent.slug, subject: `wire:${wire.id}` },
      ]);
    }
    expect(await logOf(bob, "wire.removed")).toEqual([]);
  });

  it("removes from a private space that the operator cannot read, and shows nothing of it [D9-operator-removes]", async () => {
    await createSpace(mallory, "hidden", { visibility: "private" });
    const wire = await send(mallory, "#hidden", { text: "secret plan" });
    await refused(oscar.get(`/wires/${wire.id}`), "NOT_FOUND");
    expect(JSON.stringify(await ok(remove(oscar, wire)))).not.toContain("secret");
    expect((await wireOf(mallory, wire)).tombstone.removed_by).toBe("operator");
  });

  it("leaves the first tombstone, whoever races [D9-operator-removes] [D5-removal-first]", async () => {
    for (let round = 0; round < 5; round++) {
      const wire = await send(mallory, "bob");
      const [one, two] = await Promise.all([
        ok(remove(oscar, wire)),
        ok(mallory.delete(`/wires/${wire.id}`)),
      ]);
      expect(one).toEqual(two);
    }
  });

  it("is for operators: 403 for anyone else, 404 for an unknown wire [D9-operator-only]", async () => {
    const wire = await send(mallory, "bob");
    for (const by of [mallory, bob]) {
      await refused(remove(by, wire), "FORBIDDEN");
      await refused(remove(by, { id: "no-such-wire" }), "FORBIDDEN");
    }
    await refused(remove(oscar, { id: "no-such-wire" }), "NOT_FOUND");
    await refused(oscar.owner.delete(`/operator/wires/${wire.id}`), "UNAUTHORIZED");
    expect((await wireOf(bob, wire)).tombstone).toBeNull();
  });
});

describe("PUT /operator/handles/{slug}", () => {
  it("shuts all keys of a handle out of everything, and lets them in again [D9-operator-suspends]", async () => {
    const eve = await daemon.agent("eve");
    const wire = await send(eve, "bob", { text: "stays" });
    await ok(eve.get("/profile"));
    expect(await ok(suspend(oscar, "@eve"))).toEqual({ slug: "eve", suspended: true });
    const fresh = await ok(eve.owner.post("/keys", { handle_id: eve.id }), 201);
    for (const client of [eve, daemon.client(fresh.key)]) {
      await refused(client.get("/profile"), "FORBIDDEN");
      await refused(client.get("/inbox"), "FORBIDDEN");
      await refused(client.post("/wires", { to: "bob", text: "x" }), "FORBIDDEN");
      await refused(client.get("/wires/no-such-wire"), "FORBIDDEN");
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
    expect((await wireOf(bob, wire)).text_body).toBe("stays");
    await send(bob, "eve", { text: "waits for you" });
    await daemon.restart();
    await refused(eve.get("/profile"), "FORBIDDEN");
    expect(await ok(suspend(oscar, "eve", false))).toEqual({ slug: "eve", suspended: false });
    expect((await ok(eve.get("/inbox"))).wires).toMatchObject([{ text_body: "waits for you" }]);
  });

  it("is recorded once, for the account and for the operator's [D9-audit-recorded]", async () => {
    const fay = await daemon.agent("fay");
    for (const suspended of [true, true, false, false]) await ok(suspend(oscar, "fay", suspended));
    for (const action of ["handle.suspended", "handle.restored"]) {
      expect(await logOf(fay, action)).toMatchObject([{ actor: "@oscar", handle: "fay", subject: "@fay" }]);
      const own = (await logOf(oscar, action)).filter(({ subject }) => subject === "@fay");
      expect(own).toMatchObject([{ actor: "@oscar", handle: "oscar" }]);
    }
  });

  it("ends what the handle has held, and what it is doing meanwhile has no later effect [D9-operator-suspends]", async () => {
    const gus = await daemon.agent("gus");
    const held = gus.get("/inbox?wait=30");
    await sleep(200);
    const busy = Array.from({ length: 20 }, async (_, n) => {
      return (await gus.put("/profile", { bio: `bio ${n}` })).status;
    });
    await ok(suspend(oscar, "gus"));
    await refused(held, "FORBIDDEN");
    for (const status of await Promise.all(busy)) expect([200, 403]).toContain(status);
    await refused(gus.put("/profile", { bio: "too late" }), "FORBIDDEN");
    await ok(suspend(oscar, "gus", false));
    expect((await ok(gus.get("/profile"))).bio).not.toBe("too late");
  });

  it("is for operators, for handles that there are, and not for oneself [D9-operator-only]", async () => {
    await refused(suspend(mallory, "bob"), "FORBIDDEN");
    await refused(suspend(oscar, "no-such-handle"), "NOT_FOUND");
    await refused(suspend(oscar, "oscar"), "VALIDATION_ERROR");
    for (const body of [{}, { suspended: "yes" }, { suspended: true, until: "tomorrow" }]) {
      await refused(oscar.put("/operator/handles/bob", body), "VALIDATION_ERROR");
    }
    await ok(bob.get("/profile"));
  });

  it("ends with the operator's own suspension [D9-operator-only]", async () => {
    const hal = await daemon.agent("hal");
    await operator("grant", "hal");
    await ok(suspend(oscar, "hal"));
    await refused(suspend(hal, "bob"), "FORBIDDEN");
    await ok(bob.get("/profile"));
  });
});

it("no operator operation is an MCP tool [D9-operator-only]", async () => {
  const { toolDefinitions } = await import("../../src/generate/mcp.js");
  expect(toolDefinitions.length).toBeLessThanOrEqual(16);
  expect(toolDefinitions.filter(({ name }) => /operator|suspend/.test(name))).toEqual([]);
});
