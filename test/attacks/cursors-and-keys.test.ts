/** Presents the cursors and idempotency keys of one caller or operation to all others, on REST and MCP. */
import { beforeAll, describe, expect, it } from "vitest";
import { type OperationId, operations } from "../../src/contract/index.js";
import {
  createSpace,
  expectOk,
  expectRefused,
  makeContacts,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import { addConnection } from "../harness/connections.js";
import type { AgentClient } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { decideApproval, sendHeldWire, setEgressPolicy } from "../harness/egress.js";
import { callOverMcp, jsonRpcToolCaller } from "../harness/mcp.js";
import { grantOperator } from "../harness/operator.js";
import { callOverRest } from "../harness/seeded-daemon.js";
import { addSignIn } from "../harness/sign-ins.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);
/** Bob's agent that has the same lists as alice, and another handle of alice's account. */
const sister = await daemon.createAgent("sister", {}, "alice");

type Input = Record<string, unknown>;
const threads: Record<string, string> = {};

/** For each operation with a cursor, inputs whose lists differ. Each list has at least two items. */
const LISTS: () => Partial<Record<OperationId, readonly Input[]>> = () => ({
  "inbox.read": [{}],
  "handles.inbox": [{ slug: "alice" }, { slug: "alice", order: "newest" }, { slug: "sister" }],
  "threads.get": [{ id: threads.one }, { id: threads.two }],
  "handles.thread": [
    { slug: "alice", id: threads.one },
    { slug: "alice", id: threads.two },
  ],
  "sent.list": [{}, { to: "#one" }],
  "spaces.feed": [
    { slug: "one" },
    { slug: "one", order: "top" },
    { slug: "one", order: "oldest" },
    { slug: "one", roots_only: "true" },
    { slug: "two" },
  ],
  "spaces.members": [{ slug: "one" }, { slug: "two" }],
  "spaces.list": [{}],
  "knocks.list": [{}, { direction: "sent" }, { status: "pending" }],
  "contacts.list": [{}],
  "blocks.list": [{}],
  "approvals.list": [{}, { status: "pending" }, { handle: "alice" }],
  "handles.list": [{}],
  "keys.list": [{}],
  "connections.list": [{}],
  "operator.listHandles": [{}, { q: "a" }, { suspended: "false" }],
  "operator.listWires": [{ sender: "alice" }, { sender: "bob" }],
  "signIns.list": [{}],
  "audit.list": [{}, { action: "knock.answered" }, { except: "key.issued" }, { handle: "alice" }],
});

interface Issued {
  id: OperationId;
  input: Input;
  cursor: string;
}
const issued: Issued[] = [];

const operation = (id: string) => operations.find((one) => one.id === id)!;

async function call(agent: AgentClient, id: OperationId, input: Input) {
  const client = operation(id).auth === "token" ? { ...agent, ...agent.owner } : agent;
  return callOverRest(client, operation(id), { limit: 1, ...input });
}

beforeAll(async () => {
  for (const slug of ["alice", "bob"]) await grantOperator(daemon, slug);
  for (const slug of ["one", "two"]) {
    await createSpace(alice, slug);
    await expectOk(alice.put(`/spaces/${slug}`, { members: [{ handle: "bob", role: "poster" }] }));
    for (const text of ["a word", "a word"]) await sendWire(alice, `#${slug}`, { text });
    const root = await sendWire(bob, "alice", { text: "root" });
    threads[slug] = root.id;
    await sendWire(bob, "alice", { text: "reply", reply_to: root.id });
  }
  for (let n = 0; n < 2; n++) await sendWire(bob, "sister");
  for (const slug of ["carol", "dave", "erin", "frank"]) {
    const other = await daemon.createAgent(slug);
    if (slug < "e") await makeContacts(other, alice);
    else {
      await sendKnock(alice, slug);
      await sendKnock(other, "alice");
    }
    await expectOk(alice.put(`/blocks/${slug}`));
  }
  for (const slug of ["alice", "alice", "bob", "bob"]) {
    await addConnection(daemon, slug);
    await addSignIn(daemon, slug);
  }
  await setEgressPolicy(alice, { mode: "approval" });
  const held = [
    await sendHeldWire(alice, "bob"),
    await sendHeldWire(alice, "bob"),
    await sendHeldWire(alice, "bob"),
  ];
  await decideApproval(alice, held[0]!, { status: "rejected" });
  for (const [id, inputs] of Object.entries(LISTS()) as [OperationId, Input[]][]) {
    for (const input of inputs) {
      const { status, body } = await call(alice, id, input);
      expect({ id, input, status, cursor: body.next_cursor }).toMatchObject({
        status: 200,
        cursor: expect.any(String),
      });
      issued.push({ id, input, cursor: body.next_cursor });
    }
  }
});

describe("a cursor", () => {
  // [D2-cursor-bound]
  it("of every list is tested", () => {
    const paged = operations.filter(({ fields }) => "cursor" in fields).map(({ id }) => id);
    // The cursor of a search is only an offset.
    expect(Object.keys(LISTS()).sort()).toEqual(
      paged.filter((id) => !["spaces.search", "wires.search"].includes(id)).sort(),
    );
  });

  // [D2-cursor-bound] [D2-foreign-cursor]
  it("is rejected by every other list, on REST and MCP", async () => {
    for (const target of issued) {
      // Two on MCP, which reads cursors as REST does: one of another operation, and one of the same with
      // another input.
      const overMcp = new Set<boolean>();
      for (const { id, input, cursor } of issued) {
        const isSame = id === target.id && input === target.input;
        const attack = { ...target.input, cursor };
        const { status, body } = await call(alice, target.id, attack);
        expect({ from: id, input, to: target, status }).toMatchObject({ status: isSame ? 200 : 400 });
        if (isSame) continue;
        expect(body.errors).toMatchObject([{ instancePath: "/cursor" }]);
        // The tool of `knocks.list` lists only what is pending, so its own cursors have another scope.
        const isOwn = id === target.id;
        if (overMcp.has(isOwn) || (isOwn && id === "knocks.list")) continue;
        overMcp.add(isOwn);
        const tool =
          operation(target.id).auth === "key" &&
          (await callOverMcp(daemon, alice, operation(target.id), attack));
        if (tool)
          expect({ from: id, to: target.id, body: tool.body }).toMatchObject({
            body: { errors: [{ instancePath: "/cursor" }] },
          });
      }
    }
  });

  // [D2-cursor-bound]
  it.each([
    ["another account", bob],
    ["another handle of the same account", sister],
  ])("is rejected for %s", async (_, other) => {
    for (const { id, input, cursor } of issued) {
      // The two handles of one account have the same human.
      if (other === sister && operation(id).auth === "token") continue;
      const { status, body } = await call(other, id, { ...input, cursor });
      expect({ id, input, status }).toEqual({
        id,
        input,
        status: expect.toSatisfy((code) => code >= 400 && code < 500),
      });
      if (status === 400) expect(body.errors).toMatchObject([{ instancePath: "/cursor" }]);
    }
  });

  // [D2-foreign-cursor]
  it("with its parts exchanged, repeated or out of range is rejected", async () => {
    for (const { id, input, cursor } of issued) {
      const [tag, ...position] = cursor.split(".").reverse() as [string, ...string[]];
      const body = position.reverse().join(".");
      const made = [
        `${body}`,
        `.${tag}`,
        `${body}.${body}.${tag}`,
        `zzzzzzzzzzzzzzzzzzzz.${tag}`,
        `-1.${tag}`,
        `${body}.${tag}\n`,
        `${body}\n.${tag}`,
        `NaN.${tag}`,
        `${body}.${[...tag].reverse().join("")}x`,
      ];
      for (const forged of made) {
        const { status } = await call(alice, id, { ...input, cursor: forged });
        expect({ id, forged, status }).toEqual({ id, forged, status: 400 });
      }
    }
  });
});

describe("an idempotency key", () => {
  const header = (key: string) => ({ "idempotency-key": key });

  // [D2-idempotency-scope] [D2-mcp-shared-idempotency]
  it("returns nothing of another caller: another account, handle, human, or interface", async () => {
    const key = "shared-by-accident";
    const body = { to: "carol", text: "mine" };
    const mine = await expectOk(bob.post("/wires", body, header(key)), 201);
    const theirs = [
      await expectOk(sister.post("/wires", body, header(key)), 201),
      (
        await jsonRpcToolCaller(daemon, await daemon.createAgent("tess")).call("send_wire", {
          ...body,
          idempotency_key: key,
        })
      ).body,
    ];
    expect(new Set([mine, ...theirs].map(({ id }) => id)).size).toBe(3);
    const again = await jsonRpcToolCaller(daemon, bob).call("send_wire", { ...body, idempotency_key: key });
    expect(again.body).toEqual(mine);

    const handle = { slug: "by-human", bio: "private note" };
    await expectOk(bob.owner.post("/handles", handle, header(key)), 201);
    const refused = await expectRefused(
      alice.owner.post("/handles", handle, header(key)),
      "VALIDATION_ERROR",
    );
    expect(JSON.stringify(refused)).not.toContain("private note");
  });

  // [D2-idempotency-scope]
  it("of one operation has no meaning for another, in any order", async () => {
    const creating: [path: string, body: object][] = [
      ["/wires", { to: "tess", text: "x" }],
      ["/knocks", { handle: "tess", intro: "x" }],
      ["/spaces", { slug: "by-key", visibility: "public" }],
      ["/schemas", { subject: "@bob/by-key", json_schema: {} }],
    ];
    const ids = new Set<string>();
    for (const [path, body] of creating) {
      const { id, ref } = await expectOk(bob.post(path, body, header("one-for-all")), 201);
      ids.add(id ?? ref);
    }
    expect(ids.size).toBe(creating.length);
  });

  // [D2-idempotency-scope]
  it("that is longer, has a prefix of another key, or differs in case is another key", async () => {
    const ids = new Set<string>();
    for (const key of ["k", "K", "kk", "k'", 'k"', "k%00", "%6B", "k\\"]) {
      ids.add((await expectOk(bob.post("/wires", { to: "bob", text: "x" }, header(key)), 201)).id);
    }
    expect(ids.size).toBe(8);
  });
});
