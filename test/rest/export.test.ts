import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";
import { ExportLine } from "../../src/contract/operations/account-export.js";
import { type AgentClient, type Body, QUIET } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { befriend, createSpace, knock, ok, register, send, wireOf } from "../harness/talk.js";

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const isLine = ajv.compile(ExportLine);

const { daemon } = await fileDaemon([], { args: QUIET });

const tokenOf = (name: string) =>
  daemon.issuer.token({ claims: { sub: name, email: `${name}@example.com` } });

/** The lines of a human's export. */
async function exported(name: string): Promise<Body[]> {
  const response = await fetch(`${daemon.base}/export`, {
    headers: { authorization: `Bearer ${await tokenOf(name)}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  const text = await response.text();
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const ofType = (lines: Body[], type: string): Body[] =>
  lines.filter((line) => line.type === type).map(({ type: _, ...rest }) => rest);

describe("GET /export", () => {
  let alice: AgentClient;
  let bob: AgentClient;
  let lines: Body[];
  let wires: Record<string, Body>;

  beforeAll(async () => {
    alice = await daemon.agent("alice", { display_name: "Alice", inbox_rule: { allow_text: true } });
    const sibling = await daemon.agent("alice-two", {}, "alice");
    bob = await daemon.agent("bob");
    const carol = await daemon.agent("carol");
    await befriend(alice, bob);
    await knock(carol, "alice-two");
    await ok(alice.put("/blocks/carol"));
    const rule = { allow_text: true, votable: true };
    await createSpace(alice, "room", { root_rule: rule, visibility: "private" });
    await ok(alice.put("/spaces/room", { members: [{ handle: "bob", role: "poster" }] }));
    await createSpace(bob, "bobs", { root_rule: rule });
    await register(alice, "thing", { type: "object" });
    wires = {
      sent: await send(alice, "bob", { text: "out \u0000 ünï", payload: { deep: [1, null] } }),
      received: await send(bob, "alice", { text: "in" }),
      between: await send(sibling, "alice", { text: "among us" }),
      self: await send(alice, "alice", { text: "note" }),
      post: await send(alice, "#room", { text: "posted" }),
      deleted: await send(alice, "bob", { text: "gone" }),
      bobs: await send(bob, "#bobs", { text: "not hers" }),
    };
    await ok(alice.delete(`/wires/${wires.deleted!.id}`));
    await ok(alice.put(`/wires/${wires.bobs!.id}/vote`));
    await ok(bob.put(`/wires/${wires.post!.id}/vote`));
    await ok(sibling.owner.delete("/handles/alice-two"));
    lines = await exported("alice");
  });

  it("gives all that the account owns, each line in its shape [D9-export]", async () => {
    const wrong = lines.filter((line) => !isLine(line));
    expect(wrong).toEqual([]);
    expect(ofType(lines, "account")).toEqual([await ok(alice.owner.get("/accounts/me"))]);
    expect(ofType(lines, "handle")).toMatchObject([
      { ...(await ok(alice.get("/profile"))), suspended_at: null, retired_at: null },
      { slug: "alice-two", retired_at: expect.any(String) },
    ]);
    const { keys } = await ok(alice.owner.get("/keys"));
    const byId = (a: Body, b: Body) => (a.id < b.id ? -1 : 1);
    const withoutUse = ({ last_used_at: _, ...key }: Body) => key;
    expect(ofType(lines, "key").map(withoutUse).sort(byId)).toEqual(keys.map(withoutUse).sort(byId));
    expect(ofType(lines, "contact")).toMatchObject([{ owner_handle_id: alice.id, handle: "bob" }]);
    expect(ofType(lines, "block")).toMatchObject([{ owner_handle_id: alice.id, handle: "carol" }]);
    expect(ofType(lines, "knock")).toMatchObject([
      { from_handle_id: alice.id, status: "accepted" },
      { status: "expired" },
    ]);
    const { member_counts: _, ...space } = await ok(alice.get("/spaces/room"));
    expect(ofType(lines, "space")).toEqual([space]);
    expect(ofType(lines, "member")).toMatchObject([
      { space_id: space.id, handle: "alice", role: "owner" },
      { space_id: space.id, handle: "bob", role: "poster" },
    ]);
    expect(ofType(lines, "schema")).toEqual([
      await ok(alice.get(`/schemas/${encodeURIComponent("@alice/thing@1")}`)),
    ]);
    expect(ofType(lines, "vote")).toEqual([{ owner_handle_id: alice.id, wire_id: wires.bobs!.id }]);
    const { entries } = await ok(alice.owner.get("/audit?limit=100"));
    expect(ofType(lines, "audit")).toEqual([...entries].reverse());
    expect(entries[0]).toMatchObject({ action: "data.exported", handle: null, actor: "human" });
  });

  it("gives wires as a response carries them: payloads, votes, tombstones; each once [D9-export] [D9-export-once]", async () => {
    const { sent, received, between, self, post, deleted } = wires as Record<string, Body>;
    const own = [sent, self, post, deleted, received, between];
    const byId = new Map(ofType(lines, "wire").map((wire) => [wire.id, wire]));
    expect(ofType(lines, "wire")).toHaveLength(own.length);
    for (const wire of own) expect(byId.get(wire.id)).toEqual(await wireOf(alice, wire));
    expect(byId.get(post.id).vote_count).toBe(1);
    expect(byId.get(deleted.id)).toMatchObject({ text_body: null, tombstone: { removed_by: "sender" } });
  });

  it("ends with a line that counts those before it [D9-export-end]", () => {
    expect(lines.at(-1)).toEqual({ type: "end", lines: lines.length - 1 });
    expect(lines.filter(({ type }) => type === "end")).toHaveLength(1);
  });

  it("holds no key and nothing of others' [D9-export]", async () => {
    const text = JSON.stringify(lines);
    expect(text).not.toContain(alice.key);
    expect(text).not.toMatch(/hash|subject":"alice"|issuer/);
    expect(text).not.toContain("not hers");
    const strangers = await exported("stranger");
    expect(strangers.map(({ type }) => type)).toEqual(["account", "audit", "end"]);
  });
});

describe("a large export", () => {
  const COUNT = 300;
  let dora: AgentClient;
  let ids: string[];

  beforeAll(async () => {
    dora = await daemon.agent("dora");
    const payload = { filler: "x".repeat(100_000) };
    ids = [];
    for (let n = 0; n < COUNT; n += 10) {
      const sent = await Promise.all(Array.from({ length: 10 }, () => send(dora, "dora", { payload })));
      ids.push(...sent.map(({ id }) => id));
    }
  });

  it("has everything exactly once, while more is written and removed [D9-export-once]", async () => {
    let busy = true;
    const writing = (async () => {
      for (let n = 0; busy; n++) {
        await send(dora, "dora", { text: `meanwhile ${n}` });
        if (n < COUNT / 2) await ok(dora.delete(`/wires/${ids[n * 2]}`));
      }
    })();
    const found = (await exported("dora")).filter(({ type }) => type === "wire").map(({ id }) => id);
    busy = false;
    await writing;
    expect(new Set(found).size).toBe(found.length);
    expect(ids.filter((id) => !found.includes(id))).toEqual([]);
  });

  it("that nobody reads costs the daemon no memory, and hinders nobody [D9-export-bounded]", async () => {
    const memory = async () => {
      const text = await (await fetch(`${daemon.origin}/metrics`)).text();
      return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1]);
    };
    const before = await memory();
    const token = await tokenOf("dora");
    const unread = await Promise.all(
      Array.from(
        { length: 20 },
        () =>
          new Promise<ReturnType<typeof request>>((resolve, reject) => {
            const sent = request(`${daemon.base}/export`, { headers: { authorization: `Bearer ${token}` } });
            sent.on("response", (response) => {
              response.pause();
              resolve(sent);
            });
            sent.on("error", reject);
            sent.end();
          }),
      ),
    );
    await sleep(1_500);
    // 20 exports of tens of megabytes each: they would be hundreds.
    expect((await memory()) - before).toBeLessThan(250 * 1024 * 1024);
    await send(dora, "dora", { text: "still served" });
    for (const sent of unread) {
      sent.on("error", () => undefined);
      sent.destroy();
    }
    expect((await exported("dora")).at(-1).type).toBe("end");
    expect(daemon.log()).not.toContain("request failed");
  });

  it("that is cut by a kill -9 lacks its last line, and is in the log [D9-export-end] [D9-audit-same-transaction]", async () => {
    const token = await tokenOf("dora");
    const before = (await ok(dora.owner.get("/audit?action=data.exported"))).entries.length;
    const text = await new Promise<string>((resolve, reject) => {
      const sent = request(`${daemon.base}/export`, { headers: { authorization: `Bearer ${token}` } });
      sent.on("error", reject);
      sent.on("response", (response) => {
        let received = "";
        let killed = false;
        response.on("data", (chunk: Buffer) => {
          received += chunk.toString();
          if (!killed) void daemon.kill();
          killed = true;
        });
        response.on("error", () => resolve(received));
        response.on("end", () => resolve(received));
      });
      sent.end();
    });
    expect(text).not.toContain('{"type":"end"');
    await daemon.restart();
    expect((await ok(dora.owner.get("/audit?action=data.exported"))).entries).toHaveLength(before + 1);
  });
});
