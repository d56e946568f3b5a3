import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentClient, type Body, NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { befriend, createSpace, knock, ok, refused, register, requiring, send } from "../harness/talk.js";

const PUBLIC = "https://wires.example";

let daemon: TestDaemon;
let hidden: TestDaemon;
let alice: AgentClient;
let bob: AgentClient;

beforeAll(async () => {
  [daemon, hidden] = await Promise.all([
    startDaemon({ args: NO_LIMITS }),
    startDaemon({ args: [...NO_LIMITS, "--public-url", PUBLIC] }),
  ]);
  alice = await daemon.agent("alice");
  bob = await daemon.agent("bob");
});
afterAll(() => Promise.all([daemon.stop(), hidden.stop()]));

const encoded = encodeURIComponent;

describe("a wire's URI", () => {
  it("is {base_url}/wires/{id}, and can be fetched as it stands [D1-wire-uri]", async () => {
    const { id, uri } = await send(alice, "bob");
    expect(uri).toBe(`${daemon.base}/wires/${id}`);
    const response = await fetch(uri, { headers: { authorization: `Bearer ${bob.key}` } });
    expect(await response.json()).toMatchObject({ id, text_body: "hello" });
  });

  it("is accepted wherever an id is [D1-uri-accepted] [S2.2-uri]", async () => {
    const root = await send(alice, "bob");
    const name = encoded(root.uri);
    expect((await ok(bob.get(`/wires/${name}`))).id).toBe(root.id);
    expect((await ok(bob.get(`/threads/${name}`))).wires).toHaveLength(1);
    expect((await send(bob, "alice", { text: "re", reply_to: root.uri })).thread_id).toBe(root.id);
    expect((await ok(alice.delete(`/wires/${name}`))).id).toBe(root.id);
    await createSpace(alice, "uris", { root_rule: { allow_text: true, votable: true } });
    const post = await send(bob, "#uris");
    expect(await ok(alice.put(`/wires/${encoded(post.uri)}/vote`))).toEqual({ voted: true, vote_count: 1 });
    expect((await ok(alice.delete(`/spaces/uris/wires/${encoded(post.uri)}`))).id).toBe(post.id);
  });
});

describe("schema_url", () => {
  it("is where the schema can be fetched [D1-schema-url]", async () => {
    const ref = await register(alice, "quote", requiring({ price: "number" }));
    await ok(bob.put("/profile", { inbox_rule: { allow_text: true, accepted_schemas: [ref] } }));
    const { schema_url } = await refused(
      alice.post("/wires", { to: "bob", payload: {} }),
      "SCHEMA_VALIDATION_FAILED",
    );
    expect(schema_url).toBe(`${daemon.base}/schemas/%40alice%2Fquote%401`);
    const response = await fetch(schema_url, { headers: { authorization: `Bearer ${alice.key}` } });
    expect(await response.json()).toMatchObject({ ref });
    await ok(bob.put("/profile", { inbox_rule: { allow_text: true } }));
  });
});

describe("with --public-url", () => {
  it("every URI begins with it, and is understood [D1-public-url]", async () => {
    const [ann, ben] = [await hidden.agent("ann"), await hidden.agent("ben")];
    const root = await send(ann, "ben");
    expect(root.uri).toBe(`${PUBLIC}/v1/wires/${root.id}`);
    expect((await ok(ben.get(`/wires/${encoded(root.uri)}`))).id).toBe(root.id);
    expect((await send(ben, "ann", { text: "re", reply_to: root.uri })).thread_id).toBe(root.id);
    await refused(ben.get(`/wires/${encoded(`${hidden.base}/wires/${root.id}`)}`), "NOT_FOUND");
    const ref = await register(ann, "form", requiring({ n: "number" }));
    await ok(ben.put("/profile", { inbox_rule: { allow_text: true, accepted_schemas: [ref] } }));
    const { schema_url } = await refused(
      ann.post("/wires", { to: "ben", payload: {} }),
      "SCHEMA_VALIDATION_FAILED",
    );
    expect(schema_url).toBe(`${PUBLIC}/v1/schemas/${encoded(ref)}`);
  });
});

describe("ids, slugs and times", () => {
  it("ids are UUIDv7, and times UTC with milliseconds [D1-ids] [D1-times]", async () => {
    const from = await daemon.agent("from");
    const id = await knock(from, "alice");
    const space = await createSpace(from, "formats");
    const wire = await ok(bob.get(`/wires/${(await send(from, "bob")).id}`));
    const profile = await ok(from.get("/profile"));
    const { knocks } = await ok(from.get("/knocks?direction=sent"));
    const ids = [
      id,
      space.id,
      wire.id,
      wire.sender_id,
      wire.thread_id,
      profile.id,
      profile.account_id,
      from.keyId,
    ];
    for (const one of ids) {
      expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    for (const { created_at } of [space, wire, profile, knocks[0]] as Body[]) {
      expect(new Date(created_at).toISOString()).toBe(created_at);
      expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(60_000);
    }
  });

  it("slugs are bare in responses, with @ or # left out [D1-slugs-bare] [S1-at-optional]", async () => {
    const friend = await daemon.agent("friend");
    await befriend(friend, alice);
    await ok(alice.put("/blocks/@bob"));
    const space = await createSpace(alice, "bare");
    await ok(alice.put("/spaces/bare", { members: [{ handle: "@friend", role: "reader" }] }));
    const members = (await ok(alice.get("/spaces/bare/members"))).members.map(
      (member: Body) => member.handle,
    );
    const contacts = (await ok(alice.get("/contacts"))).contacts.map((contact: Body) => contact.handle);
    const blocks = (await ok(alice.get("/blocks"))).blocks.map((block: Body) => block.handle);
    expect([space.slug, members, contacts, blocks]).toEqual([
      "bare",
      ["alice", "friend"],
      ["friend"],
      ["bob"],
    ]);
    await ok(alice.put("/spaces/bare", { transfer_owner: "@friend" }));
    await ok(alice.delete("/blocks/bob"));
  });

  it("a space's slug is bare in a path and in a body, a schema's subject needs its sign [D1-bare-input]", async () => {
    await refused(alice.post("/spaces", { slug: "#signed", visibility: "public" }), "VALIDATION_ERROR");
    await refused(alice.get("/spaces/%23bare"), "VALIDATION_ERROR");
    await refused(alice.post("/schemas", { subject: "alice/unsigned", json_schema: {} }), "VALIDATION_ERROR");
    await refused(alice.get(`/schemas/${encoded("alice/quote")}`), "VALIDATION_ERROR");
  });
});
