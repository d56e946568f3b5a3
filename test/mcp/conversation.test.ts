import { beforeAll, expect, it } from "vitest";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { legacyClient, modernClient, sdkToolCaller, type ToolCaller } from "../harness/mcp.js";

const { daemon } = await hostedFixture([], {});
/** Uses a protocol version with sessions. */
let alice: ToolCaller;
/** Uses the protocol version 2026-07-28. */
let bob: ToolCaller;

beforeAll(async () => {
  alice = sdkToolCaller(await legacyClient(daemon, await daemon.createAgent("alice")));
  bob = sdkToolCaller(await modernClient(daemon, await daemon.createAgent("bob")));
});

/** Calls a tool that must succeed. Returns the body. */
async function callSuccessfully(
  agent: ToolCaller,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Body> {
  const { isError, body } = await agent.call(name, args);
  expect(isError, `${name}: ${JSON.stringify(body)}`).toBe(false);
  return body;
}

/** Calls a tool that must fail. Returns the error envelope. */
async function callRefused(agent: ToolCaller, name: string, args: Record<string, unknown>): Promise<Body> {
  const { isError, body } = await agent.call(name, args);
  expect(isError, `${name}: ${JSON.stringify(body)}`).toBe(true);
  return body;
}

// [D8-mcp-conversation]
it("two agents that use only MCP find each other, agree on a schema, correct a wire and vote", async () => {
  await callSuccessfully(bob, "update_profile", {
    discoverable: true,
    bio: "Quotes prices.",
    contact_policy: "contacts_only",
  });

  // Alice finds Bob. She may not write to him, and sends a knock.
  const { results } = await callSuccessfully(alice, "search", { type: "handles", q: "prices" });
  expect(results).toMatchObject([{ slug: "bob", bio: "Quotes prices." }]);
  expect(await callRefused(alice, "send_wire", { to: "@bob", text: "hello" })).toMatchObject({
    code: "KNOCK_REQUIRED",
  });
  const knock = await callSuccessfully(alice, "send_knock", {
    handle: "@bob",
    intro: "Alice, looking for prices.",
  });
  expect(knock).toMatchObject({ status: "pending" });

  // Bob finds the knock in his inbox and accepts it.
  const inbox = await callSuccessfully(bob, "read_inbox");
  expect(inbox.knocks).toMatchObject([{ id: knock.id, intro: "Alice, looking for prices." }]);
  await callSuccessfully(bob, "answer_knock", { id: knock.id, status: "accepted" });

  // Bob requires a schema by his inbox rule.
  const { ref } = await callSuccessfully(bob, "register_schema", {
    subject: "@bob/price-request",
    json_schema: {
      type: "object",
      properties: { item: { type: "string" }, count: { type: "integer", minimum: 1 } },
      required: ["item", "count"],
    },
  });
  await callSuccessfully(bob, "update_profile", {
    inbox_rule: { allow_text: false, accepted_schemas: ["@bob/price-request"] },
  });

  // Alice's wire is rejected with reasons. She reads the schema, and corrects the wire.
  expect(await callRefused(alice, "send_wire", { to: "@bob", text: "how much is tea?" })).toMatchObject({
    code: "POSTING_DENIED",
    rule_source: "inbox",
    schema_ref: "@bob/price-request",
  });
  const reasons = await callRefused(alice, "send_wire", { to: "@bob", payload: { item: "tea", count: 0 } });
  expect(reasons).toMatchObject({
    code: "SCHEMA_VALIDATION_FAILED",
    rule_source: "inbox",
    schema_ref: ref,
    errors: [{ instancePath: "/count", keyword: "minimum" }],
  });
  const { json_schema } = await callSuccessfully(alice, "get_schema", { ref: reasons.schema_ref });
  expect(json_schema.properties.count).toEqual({ type: "integer", minimum: 1 });
  const wire = await callSuccessfully(alice, "send_wire", { to: "@bob", payload: { item: "tea", count: 2 } });

  // Bob reads the wire and replies. His cursor acknowledges the knock. Alice sees the thread.
  const next = await callSuccessfully(bob, "read_inbox", { cursor: inbox.next_cursor });
  expect(next).toMatchObject({
    wires: [{ id: wire.id, schema_ref: ref, payload: { item: "tea", count: 2 } }],
    knocks: [],
  });
  const reply = await callSuccessfully(bob, "send_wire", {
    to: "@alice",
    text: "7 a box",
    reply_to: wire.id,
  });
  expect(reply.thread_id).toBe(wire.thread_id);
  const { wires: thread } = await callSuccessfully(alice, "read_thread", { id: reply.id });
  expect(thread.map(({ id }: Body) => id)).toEqual([wire.id, reply.id]);

  // Both vote in a space.
  await callSuccessfully(alice, "create_space", {
    slug: "market",
    visibility: "private",
    root_rule: { allow_text: true, votable: true },
  });
  expect(await callRefused(bob, "read_space", { slug: "market" })).toMatchObject({ code: "NOT_FOUND" });
  await callSuccessfully(alice, "manage_space", {
    slug: "market",
    members: [{ handle: "@bob", role: "poster" }],
  });
  const cheap = await callSuccessfully(bob, "send_wire", { to: "#market", text: "tea at 6" });
  const dear = await callSuccessfully(alice, "send_wire", { to: "#market", text: "tea at 9" });
  expect(await callSuccessfully(alice, "vote_wire", { id: cheap.id })).toEqual({
    voted: true,
    vote_count: 1,
  });
  expect(await callSuccessfully(bob, "vote_wire", { id: cheap.id })).toEqual({ voted: true, vote_count: 2 });
  expect(await callSuccessfully(bob, "vote_wire", { id: dear.id })).toEqual({ voted: true, vote_count: 1 });
  expect(await callSuccessfully(bob, "vote_wire", { id: dear.id, vote: false })).toEqual({
    voted: false,
    vote_count: 0,
  });
  const top = await callSuccessfully(bob, "read_space", { slug: "market", order: "top", roots_only: true });
  expect(top.wires.map(({ text_body, vote_count }: Body) => [text_body, vote_count])).toEqual([
    ["tea at 6", 2],
    ["tea at 9", 0],
  ]);
  const found = await callSuccessfully(bob, "search_wires", { slug: "market", q: "tea -9" });
  expect(found.wires.map(({ id }: Body) => id)).toEqual([cheap.id]);

  // A deleted wire stays as a tombstone, and accepts no votes.
  await callSuccessfully(bob, "delete_wire", { id: cheap.id });
  expect(await callRefused(alice, "vote_wire", { id: cheap.id })).toMatchObject({ code: "VOTING_DISABLED" });
  expect(await callSuccessfully(alice, "get_wire", { id: cheap.id })).toMatchObject({
    text_body: null,
    tombstone: { removed_by: "sender" },
  });
});
