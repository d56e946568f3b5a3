import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  makeContacts,
  registerSchema,
  schemaRequiring,
  sendKnock,
  sendWire,
} from "../harness/api-helpers.js";
import { type AgentClient, type Body, NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";

const PUBLIC = "https://wires.example";

let daemon: TestDaemon;
let hidden: TestDaemon;
let alice: AgentClient;
let bob: AgentClient;

beforeAll(async () => {
  [daemon, hidden] = await Promise.all([
    startDaemon({ isHosted: true, args: NO_LIMITS }),
    startDaemon({ isHosted: true, args: [...NO_LIMITS, "--public-url", PUBLIC] }),
  ]);
  alice = await daemon.createAgent("alice");
  bob = await daemon.createAgent("bob");
});
afterAll(() => Promise.all([daemon.stop(), hidden.stop()]));

const encoded = encodeURIComponent;

describe("the URI of a wire", () => {
  // [D1-wire-uri]
  it("is {base_url}/wires/{id} and can be fetched", async () => {
    const { id, uri } = await sendWire(alice, "bob");
    expect(uri).toBe(`${daemon.base}/wires/${id}`);
    const response = await fetch(uri, { headers: { authorization: `Bearer ${bob.key}` } });
    expect(await response.json()).toMatchObject({ id, text_body: "hello" });
  });

  // [D1-uri-accepted] [S2.2-uri]
  it("is accepted wherever a wire id is accepted", async () => {
    const root = await sendWire(alice, "bob");
    const name = encoded(root.uri);
    expect((await expectOk(bob.get(`/wires/${name}`))).id).toBe(root.id);
    expect((await expectOk(bob.get(`/threads/${name}`))).wires).toHaveLength(1);
    expect((await sendWire(bob, "alice", { text: "re", reply_to: root.uri })).thread_id).toBe(root.id);
    expect((await expectOk(alice.delete(`/wires/${name}`))).id).toBe(root.id);
    await createSpace(alice, "uris", { root_rule: { allow_text: true, votable: true } });
    const post = await sendWire(bob, "#uris");
    expect(await expectOk(alice.put(`/wires/${encoded(post.uri)}/vote`))).toEqual({
      voted: true,
      vote_count: 1,
    });
    expect((await expectOk(alice.delete(`/spaces/uris/wires/${encoded(post.uri)}`))).id).toBe(post.id);
  });
});

describe("schema_url", () => {
  // [D1-schema-url]
  it("is the URL at which the schema can be fetched", async () => {
    const ref = await registerSchema(alice, "quote", schemaRequiring({ price: "number" }));
    await expectOk(bob.put("/profile", { inbox_rule: { allow_text: true, accepted_schemas: [ref] } }));
    const { schema_url } = await expectRefused(
      alice.post("/wires", { to: "bob", payload: {} }),
      "SCHEMA_VALIDATION_FAILED",
    );
    expect(schema_url).toBe(`${daemon.base}/schemas/%40alice%2Fquote%401`);
    const response = await fetch(schema_url, { headers: { authorization: `Bearer ${alice.key}` } });
    expect(await response.json()).toMatchObject({ ref });
    await expectOk(bob.put("/profile", { inbox_rule: { allow_text: true } }));
  });
});

describe("with --public-url", () => {
  // [D1-public-url]
  it("makes the daemon build every URI from the public URL, and accept such URIs", async () => {
    const [ann, ben] = [await hidden.createAgent("ann"), await hidden.createAgent("ben")];
    const root = await sendWire(ann, "ben");
    expect(root.uri).toBe(`${PUBLIC}/v1/wires/${root.id}`);
    expect((await expectOk(ben.get(`/wires/${encoded(root.uri)}`))).id).toBe(root.id);
    expect((await sendWire(ben, "ann", { text: "re", reply_to: root.uri })).thread_id).toBe(root.id);
    await expectRefused(ben.get(`/wires/${encoded(`${hidden.base}/wires/${root.id}`)}`), "NOT_FOUND");
    const ref = await registerSchema(ann, "form", schemaRequiring({ n: "number" }));
    await expectOk(ben.put("/profile", { inbox_rule: { allow_text: true, accepted_schemas: [ref] } }));
    const { schema_url } = await expectRefused(
      ann.post("/wires", { to: "ben", payload: {} }),
      "SCHEMA_VALIDATION_FAILED",
    );
    expect(schema_url).toBe(`${PUBLIC}/v1/schemas/${encoded(ref)}`);
  });
});

describe("the format of ids, slugs and times", () => {
  // [D1-ids] [D1-times]
  it("is UUIDv7 for ids, and UTC with milliseconds for times", async () => {
    const from = await daemon.createAgent("from");
    const id = await sendKnock(from, "alice");
    const space = await createSpace(from, "formats");
    const wire = await expectOk(bob.get(`/wires/${(await sendWire(from, "bob")).id}`));
    const profile = await expectOk(from.get("/profile"));
    const { knocks } = await expectOk(from.get("/knocks?direction=sent"));
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

  // [D1-slugs-bare] [S1-at-optional]
  it("omits the prefixes @ and # from slugs in responses", async () => {
    const friend = await daemon.createAgent("friend");
    await makeContacts(friend, alice);
    await expectOk(alice.put("/blocks/@bob"));
    const space = await createSpace(alice, "bare");
    await expectOk(alice.put("/spaces/bare", { members: [{ handle: "@friend", role: "reader" }] }));
    const members = (await expectOk(alice.get("/spaces/bare/members"))).members.map(
      (member: Body) => member.handle,
    );
    const contacts = (await expectOk(alice.get("/contacts"))).contacts.map((contact: Body) => contact.handle);
    const blocks = (await expectOk(alice.get("/blocks"))).blocks.map((block: Body) => block.handle);
    expect([space.slug, members, contacts, blocks]).toEqual([
      "bare",
      ["alice", "friend"],
      ["friend"],
      ["bob"],
    ]);
    await expectOk(alice.put("/spaces/bare", { transfer_owner: "@friend" }));
    await expectOk(alice.delete("/blocks/bob"));
  });

  // [D1-bare-input]
  it("accepts a space slug without a prefix, and requires the prefix in a schema subject", async () => {
    await expectRefused(alice.post("/spaces", { slug: "#signed", visibility: "public" }), "VALIDATION_ERROR");
    await expectRefused(alice.get("/spaces/%23bare"), "VALIDATION_ERROR");
    await expectRefused(
      alice.post("/schemas", { subject: "alice/unsigned", json_schema: {} }),
      "VALIDATION_ERROR",
    );
    await expectRefused(alice.get(`/schemas/${encoded("alice/quote")}`), "VALIDATION_ERROR");
  });
});
