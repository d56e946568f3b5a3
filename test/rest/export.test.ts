import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { beforeAll, describe, expect, it } from "vitest";
import { ExportLine } from "../../src/contract/operations/account-export.js";
import {
  createSpace,
  expectOk,
  makeContacts,
  readInboxToEnd,
  readWire,
  registerSchema,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import { addConnection, type TestConnection } from "../harness/connections.js";
import { type AgentClient, type Body, NO_LIMITS_FEW_LOGS } from "../harness/daemon.js";
import { daemonFixture } from "../harness/daemon-fixture.js";

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const isLine = ajv.compile(ExportLine);

const { daemon } = await daemonFixture([], { args: NO_LIMITS_FEW_LOGS });

const tokenOf = (name: string) =>
  daemon.issuer.token({ claims: { sub: name, email: `${name}@example.com` } });

/** Returns the parsed lines of a human's export. */
async function exportLines(name: string): Promise<Body[]> {
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
  let connection: TestConnection;
  let lines: Body[];
  let wires: Record<string, Body>;

  beforeAll(async () => {
    alice = await daemon.createAgent("alice", { display_name: "Alice", inbox_rule: { allow_text: true } });
    const sibling = await daemon.createAgent("alice-two", {}, "alice");
    bob = await daemon.createAgent("bob");
    const carol = await daemon.createAgent("carol");
    await makeContacts(alice, bob);
    await sendKnock(carol, "alice-two");
    await expectOk(alice.put("/blocks/carol"));
    const rule = { allow_text: true, votable: true, claimable: true };
    await createSpace(alice, "room", { root_rule: rule, visibility: "private" });
    await expectOk(alice.put("/spaces/room", { members: [{ handle: "bob", role: "poster" }] }));
    await createSpace(bob, "bobs", { root_rule: rule });
    await registerSchema(alice, "thing", { type: "object" });
    wires = {
      sent: await sendWire(alice, "bob", { text: "out \u0000 ünï", payload: { deep: [1, null] } }),
      received: await sendWire(bob, "alice", { text: "in" }),
      between: await sendWire(sibling, "alice", { text: "among us" }),
      self: await sendWire(alice, "alice", { text: "note" }),
      post: await sendWire(alice, "#room", { text: "posted" }),
      deleted: await sendWire(alice, "bob", { text: "gone" }),
      bobs: await sendWire(bob, "#bobs", { text: "not hers" }),
    };
    await expectOk(alice.delete(`/wires/${wires.deleted!.id}`));
    await expectOk(alice.put(`/wires/${wires.bobs!.id}/vote`));
    await expectOk(bob.put(`/wires/${wires.post!.id}/vote`));
    for (const wire of ["post", "bobs"])
      await expectOk((wire === "post" ? alice : bob).put(`/wires/${wires[wire]!.id}/claim`, {}));
    await expectOk(sibling.owner.delete("/handles/alice-two"));
    await readInboxToEnd(alice);
    connection = await addConnection(daemon, "alice");
    lines = await exportLines("alice");
  });

  // [D9-export]
  it("returns all data that the account owns, each line in its documented format", async () => {
    const wrong = lines.filter((line) => !isLine(line));
    expect(wrong).toEqual([]);
    expect(ofType(lines, "account")).toEqual([await expectOk(alice.owner.get("/accounts/me"))]);
    expect(ofType(lines, "handle")).toMatchObject([
      {
        ...(await expectOk(alice.get("/profile"))),
        ...{ suspended_at: null, retired_at: null, last_pull_at: expect.stringMatching(/:00\.000Z$/) },
      },
      { slug: "alice-two", retired_at: expect.any(String) },
    ]);
    const { keys } = await expectOk(alice.owner.get("/keys"));
    const byId = (a: Body, b: Body) => (a.id < b.id ? -1 : 1);
    const withoutUse = ({ last_used_at: _, ...key }: Body) => key;
    expect(ofType(lines, "key").map(withoutUse).sort(byId)).toEqual(keys.map(withoutUse).sort(byId));
    const { connections } = await expectOk(alice.owner.get("/connections"));
    expect(connections).toMatchObject([{ id: connection.id }]);
    expect(ofType(lines, "connection")).toEqual(connections);
    expect(ofType(lines, "contact")).toMatchObject([{ owner_handle_id: alice.id, handle: "bob" }]);
    expect(ofType(lines, "block")).toMatchObject([{ owner_handle_id: alice.id, handle: "carol" }]);
    expect(ofType(lines, "knock")).toMatchObject([
      { from_handle_id: alice.id, status: "accepted" },
      { status: "expired" },
    ]);
    const { member_counts: _, ...space } = await expectOk(alice.get("/spaces/room"));
    expect(ofType(lines, "space")).toEqual([space]);
    expect(ofType(lines, "member")).toMatchObject([
      { space_id: space.id, handle: "alice", role: "owner" },
      { space_id: space.id, handle: "bob", role: "poster" },
    ]);
    expect(ofType(lines, "schema")).toEqual([
      await expectOk(alice.get(`/schemas/${encodeURIComponent("@alice/thing@1")}`)),
    ]);
    expect(ofType(lines, "vote")).toEqual([{ owner_handle_id: alice.id, wire_id: wires.bobs!.id }]);
    const { claim } = await readWire(alice, wires.post!);
    expect(claim.state).toBe("claimed");
    expect(ofType(lines, "claim")).toEqual([
      { owner_handle_id: alice.id, wire_id: wires.post!.id, ...claim },
    ]);
    expect(ofType(lines, "receipt")).toEqual([
      { owner_handle_id: alice.id, wire_id: wires.self!.id, at: expect.any(String) },
    ]);
    const { entries } = await expectOk(alice.owner.get("/audit?limit=100"));
    expect(ofType(lines, "audit")).toEqual([...entries].reverse());
    expect(entries[0]).toMatchObject({ action: "data.exported", handle: null, actor: "human" });
  });

  // [D9-export] [D9-export-once]
  it("returns each wire once, with payload, votes and tombstones as in other responses", async () => {
    const { sent, received, between, self, post, deleted } = wires as Record<string, Body>;
    const own = [sent, self, post, deleted, received, between];
    const byId = new Map(ofType(lines, "wire").map((wire) => [wire.id, wire]));
    expect(ofType(lines, "wire")).toHaveLength(own.length);
    for (const wire of own) {
      // Only GET /wires/{id} contains `delivery`.
      const { delivery: _, ...read } = await readWire(alice, wire);
      expect(byId.get(wire.id)).toEqual(read);
    }
    expect(byId.get(post.id).vote_count).toBe(1);
    expect(byId.get(deleted.id)).toMatchObject({ text_body: null, tombstone: { removed_by: "sender" } });
  });

  // [D9-export-end]
  it("ends with a line that contains the number of preceding lines", () => {
    expect(lines.at(-1)).toEqual({ type: "end", lines: lines.length - 1 });
    expect(lines.filter(({ type }) => type === "end")).toHaveLength(1);
  });

  // [D9-export]
  it("contains no API key and no data of other accounts", async () => {
    const text = JSON.stringify(lines);
    expect(text).not.toContain(alice.key);
    expect(text).not.toContain(connection.token);
    expect(text).not.toMatch(/hash|subject":"alice"|issuer/);
    expect(text).not.toContain("not hers");
    const strangers = await exportLines("stranger");
    expect(strangers.map(({ type }) => type)).toEqual(["account", "audit", "end"]);
  });
});

describe("a large export", () => {
  const COUNT = 300;
  let dora: AgentClient;
  let ids: string[];

  beforeAll(async () => {
    dora = await daemon.createAgent("dora");
    const payload = { filler: "x".repeat(100_000) };
    ids = [];
    for (let n = 0; n < COUNT; n += 10) {
      const sent = await Promise.all(Array.from({ length: 10 }, () => sendWire(dora, "dora", { payload })));
      ids.push(...sent.map(({ id }) => id));
    }
  });

  // [D9-export-once]
  it("contains each row exactly once while rows are added and removed", async () => {
    let busy = true;
    const writing = (async () => {
      for (let n = 0; busy; n++) {
        await sendWire(dora, "dora", { text: `meanwhile ${n}` });
        if (n < COUNT / 2) await expectOk(dora.delete(`/wires/${ids[n * 2]}`));
      }
    })();
    const found = (await exportLines("dora")).filter(({ type }) => type === "wire").map(({ id }) => id);
    busy = false;
    await writing;
    expect(new Set(found).size).toBe(found.length);
    expect(ids.filter((id) => !found.includes(id))).toEqual([]);
  });

  // [D9-export-bounded]
  it("does not use more memory, or slow down other requests, if the client does not read it", async () => {
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
    // 20 exports of tens of megabytes each would need hundreds of megabytes.
    expect((await memory()) - before).toBeLessThan(250 * 1024 * 1024);
    await sendWire(dora, "dora", { text: "still served" });
    for (const sent of unread) {
      sent.on("error", () => undefined);
      sent.destroy();
    }
    expect((await exportLines("dora")).at(-1).type).toBe("end");
    expect(daemon.log()).not.toContain("request failed");
  });

  // [D9-export-end] [D9-audit-same-transaction]
  it("that is aborted by SIGKILL lacks its last line, and is logged in the audit log", async () => {
    const token = await tokenOf("dora");
    const before = (await expectOk(dora.owner.get("/audit?action=data.exported"))).entries.length;
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
    expect((await expectOk(dora.owner.get("/audit?action=data.exported"))).entries).toHaveLength(before + 1);
  });
});
