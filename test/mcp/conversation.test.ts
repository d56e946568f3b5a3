import { beforeAll, expect, it } from "vitest";
import type { Body } from "../harness/daemon.js";
import { fileDaemon } from "../harness/file-daemon.js";
import { caller, legacyClient, modernClient, type ToolCaller } from "../harness/mcp.js";

const { daemon } = await fileDaemon([], {});
/** Speaks the protocol's old era. */
let alice: ToolCaller;
/** Speaks the new one. */
let bob: ToolCaller;

beforeAll(async () => {
  alice = caller(await legacyClient(daemon, await daemon.agent("alice")));
  bob = caller(await modernClient(daemon, await daemon.agent("bob")));
});

/** The body of a call that must succeed. */
async function done(agent: ToolCaller, name: string, args: Record<string, unknown> = {}): Promise<Body> {
  const { isError, body } = await agent.call(name, args);
  expect(isError, `${name}: ${JSON.stringify(body)}`).toBe(false);
  return body;
}

/** The envelope of a call that must fail. */
async function refused(agent: ToolCaller, name: string, args: Record<string, unknown>): Promise<Body> {
  const { isError, body } = await agent.call(name, args);
  expect(isError, `${name}: ${JSON.stringify(body)}`).toBe(true);
  return body;
}

it("two agents that speak only MCP find each other, agree on a schema, mend a wire and vote [D8-mcp-conversation]", async () => {
  await done(bob, "update_profile", {
    discoverable: true,
    bio: "Quotes prices.",
    contact_policy: "contacts_only",
  });

  // Alice finds Bob, may not write to him, and knocks.
  const { results } = await done(alice, "search", { type: "handles", q: "prices" });
  expect(results).toMatchObject([{ slug: "bob", bio: "Quotes prices." }]);
  expect(await refused(alice, "send_wire", { to: "@bob", text: "hello" })).toMatchObject({
    code: "KNOCK_REQUIRED",
  });
  const knock = await done(alice, "send_knock", { handle: "@bob", intro: "Alice, looking for prices." });
  expect(knock).toMatchObject({ status: "pending" });

  // Bob finds the knock in his inbox and accepts.
  const inbox = await done(bob, "read_inbox");
  expect(inbox.knocks).toMatchObject([{ id: knock.id, intro: "Alice, looking for prices." }]);
  await done(bob, "answer_knock", { id: knock.id, status: "accepted" });

  // He says what he wants to be asked: a schema, demanded by his inbox rule.
  const { ref } = await done(bob, "register_schema", {
    subject: "@bob/price-request",
    json_schema: {
      type: "object",
      properties: { item: { type: "string" }, count: { type: "integer", minimum: 1 } },
      required: ["item", "count"],
    },
  });
  await done(bob, "update_profile", {
    inbox_rule: { allow_text: false, accepted_schemas: ["@bob/price-request"] },
  });

  // Alice is refused with reasons, reads the schema, and mends her wire.
  expect(await refused(alice, "send_wire", { to: "@bob", text: "how much is tea?" })).toMatchObject({
    code: "POSTING_DENIED",
    rule_source: "inbox",
  });
  const reasons = await refused(alice, "send_wire", { to: "@bob", payload: { item: "tea", count: 0 } });
  expect(reasons).toMatchObject({
    code: "SCHEMA_VALIDATION_FAILED",
    rule_source: "inbox",
    schema_ref: ref,
    errors: [{ instancePath: "/count", keyword: "minimum" }],
  });
  const { json_schema } = await done(alice, "get_schema", { ref: reasons.schema_ref });
  expect(json_schema.properties.count).toEqual({ type: "integer", minimum: 1 });
  const wire = await done(alice, "send_wire", { to: "@bob", payload: { item: "tea", count: 2 } });

  // Bob reads it once, having dealt with the knock, and replies; Alice sees the thread.
  const next = await done(bob, "read_inbox", { cursor: inbox.next_cursor });
  expect(next).toMatchObject({
    wires: [{ id: wire.id, schema_ref: ref, payload: { item: "tea", count: 2 } }],
    knocks: [],
  });
  const reply = await done(bob, "send_wire", { to: "@alice", text: "7 a box", reply_to: wire.id });
  expect(reply.thread_id).toBe(wire.thread_id);
  const { wires: thread } = await done(alice, "read_thread", { id: reply.id });
  expect(thread.map(({ id }: Body) => id)).toEqual([wire.id, reply.id]);

  // In a space they vote.
  await done(alice, "create_space", {
    slug: "market",
    visibility: "private",
    root_rule: { allow_text: true, votable: true },
  });
  expect(await refused(bob, "read_space", { slug: "market" })).toMatchObject({ code: "NOT_FOUND" });
  await done(alice, "manage_space", { slug: "market", members: [{ handle: "@bob", role: "poster" }] });
  const cheap = await done(bob, "send_wire", { to: "#market", text: "tea at 6" });
  const dear = await done(alice, "send_wire", { to: "#market", text: "tea at 9" });
  expect(await done(alice, "vote_wire", { id: cheap.id })).toEqual({ voted: true, vote_count: 1 });
  expect(await done(bob, "vote_wire", { id: cheap.id })).toEqual({ voted: true, vote_count: 2 });
  expect(await done(bob, "vote_wire", { id: dear.id })).toEqual({ voted: true, vote_count: 1 });
  expect(await done(bob, "vote_wire", { id: dear.id, vote: false })).toEqual({ voted: false, vote_count: 0 });
  const top = await done(bob, "read_space", { slug: "market", order: "top", roots_only: true });
  expect(top.wires.map(({ text_body, vote_count }: Body) => [text_body, vote_count])).toEqual([
    ["tea at 6", 2],
    ["tea at 9", 0],
  ]);
  const found = await done(bob, "search_wires", { slug: "market", q: "tea -9" });
  expect(found.wires.map(({ id }: Body) => id)).toEqual([cheap.id]);

  // What is taken back stays as a tombstone, and cannot be voted for.
  await done(bob, "delete_wire", { id: cheap.id });
  expect(await refused(alice, "vote_wire", { id: cheap.id })).toMatchObject({ code: "VOTING_DISABLED" });
  expect(await done(alice, "get_wire", { id: cheap.id })).toMatchObject({
    text_body: null,
    tombstone: { removed_by: "sender" },
  });
});
