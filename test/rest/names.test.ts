import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentClient, type Body, NO_LIMITS, startDaemon, type TestDaemon } from "../harness/daemon.js";
import { expectError } from "../harness/envelope.js";

const PUBLIC = "https://wires.example.com";
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let daemon: TestDaemon;
let alice: AgentClient;
let bob: AgentClient;
let published: TestDaemon;

beforeAll(async () => {
  daemon = await startDaemon({ isHosted: true, args: NO_LIMITS });
  alice = await daemon.createAgent("alice");
  bob = await daemon.createAgent("bob");
  published = await startDaemon({ isHosted: true, args: ["--public-url", `${PUBLIC}/`] });
});
afterAll(async () => {
  await daemon.stop();
  await published.stop();
});

/** Returns every string in a body whose key satisfies `wanted`. */
function valuesOf(body: Body, wanted: (key: string) => boolean): string[] {
  const found: string[] = [];
  JSON.stringify(body, (key, value) => {
    if (wanted(key) && typeof value === "string") found.push(value);
    return value;
  });
  return found;
}

/** Returns responses that contain every kind of id, time and name. */
async function allResponses(): Promise<Body[]> {
  const space = await alice.post("/spaces", { slug: `room-${Date.now()}`, visibility: "public" });
  const wire = await alice.post("/wires", { to: "bob", text: "x" });
  const knock = await alice.post("/knocks", { handle: "bob", intro: "x" });
  await alice.delete(`/wires/${wire.body.id}`);
  const replies = [
    space,
    wire,
    knock,
    await alice.get(`/wires/${wire.body.id}`),
    await bob.get("/inbox"),
    await bob.put(`/knocks/${knock.body.id}`, { status: "accepted" }),
    await bob.get("/contacts"),
    await alice.get("/profile"),
    await alice.get(`/spaces/${space.body.slug}/members`),
    await alice.owner.get("/accounts/me"),
    await alice.owner.get("/handles"),
    await alice.owner.get("/keys"),
    await alice.owner.post("/keys", { handle_id: alice.id }),
  ];
  return replies.map(({ body }) => body);
}

describe("the formats of names", () => {
  // [D1-ids] [D1-times]
  it("ids are UUIDv7, and times are UTC with milliseconds", async () => {
    const bodies = await allResponses();
    const ids = valuesOf(bodies, (key) => key === "id" || key.endsWith("_id"));
    expect(ids.length).toBeGreaterThan(20);
    expect(ids.filter((id) => !UUID_V7.test(id))).toEqual([]);
    const times = valuesOf(bodies, (key) => ["at", "since"].includes(key) || key.endsWith("_at"));
    expect(times.length).toBeGreaterThan(10);
    expect(
      times.filter((time) => !TIME.test(time) || Math.abs(Date.parse(time) - Date.now()) > 60_000),
    ).toEqual([]);
  });

  // [D1-slugs-bare]
  it("slugs in responses have no prefix; schema subjects and refs have one", async () => {
    const registered = await alice.post("/schemas", { subject: "@alice/plain", json_schema: {} });
    expect(registered.body.ref).toBe("@alice/plain@1");
    expect((await alice.get("/schemas/%40alice%2Fplain")).body.subject).toBe("@alice/plain");
    const names = valuesOf(await allResponses(), (key) => key === "slug" || key === "handle");
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !/^[a-z0-9-]{3,32}$/.test(name))).toEqual([]);
  });

  // [D1-at-optional]
  it("a request may name a handle with or without @", async () => {
    for (const name of ["bob", "@bob"]) {
      expect((await alice.post("/wires", { to: name, text: "x" })).status).toBe(201);
      expect((await alice.put(`/blocks/${name}`)).body).toEqual({ handle: "bob", blocked: true });
      expect((await alice.delete(`/blocks/${encodeURIComponent(name)}`)).body.blocked).toBe(false);
    }
  });

  // [D1-signs]
  it("new slugs and slugs in paths have no prefix; subjects and refs require it", async () => {
    await alice.post("/spaces", { slug: "signs", visibility: "public" });
    for (const slug of ["#signs", "@signs"]) {
      expectError(await alice.post("/spaces", { slug, visibility: "public" }), "VALIDATION_ERROR");
      expectError(await alice.get(`/spaces/${encodeURIComponent(slug)}`), "VALIDATION_ERROR");
      expectError(await alice.owner.post("/handles", { slug }), "VALIDATION_ERROR");
    }
    expectError(
      await alice.post("/schemas", { subject: "alice/signs", json_schema: {} }),
      "VALIDATION_ERROR",
    );
    expectError(await alice.get("/schemas/alice%2Fsigns"), "VALIDATION_ERROR");
  });

  // [S8-slug]
  it("slugs have 3 to 32 characters of a-z, 0-9 and -", async () => {
    for (const slug of ["a-9", "-".repeat(32)]) {
      expect((await alice.owner.post("/handles", { slug })).status).toBe(201);
      expect((await alice.post("/spaces", { slug, visibility: "public" })).status).toBe(201);
    }
    for (const slug of ["ab", "a".repeat(33), "Abc", "a_b", "a b", "äbc", "abc\n", ""]) {
      expectError(await alice.owner.post("/handles", { slug }), "VALIDATION_ERROR");
      expectError(await alice.post("/spaces", { slug, visibility: "public" }), "VALIDATION_ERROR");
    }
  });

  // [D2-slug-taken]
  it("a taken slug is rejected, separately for handles and spaces", async () => {
    expectError(await bob.owner.post("/handles", { slug: "alice" }), "VALIDATION_ERROR");
    expect((await bob.post("/spaces", { slug: "alice", visibility: "private" })).status).toBe(201);
    const { errors } = expectError(
      await alice.post("/spaces", { slug: "alice", visibility: "public" }),
      "VALIDATION_ERROR",
    );
    expect(errors[0].instancePath).toBe("/slug");
  });
});

describe("the limits of stored values", () => {
  // [S8-space-tags]
  it("a space has at most ten tags, when created and when updated", async () => {
    const tags = Array.from({ length: 11 }, (_, n) => `tag-${n}`);
    expectError(
      await alice.post("/spaces", { slug: "tagged", visibility: "public", tags }),
      "VALIDATION_ERROR",
    );
    const ten = tags.slice(1);
    expect(
      (await alice.post("/spaces", { slug: "tagged", visibility: "public", tags: ten })).body.tags,
    ).toEqual(ten);
    expectError(await alice.put("/spaces/tagged", { tags }), "VALIDATION_ERROR");
    expect((await alice.put("/spaces/tagged", { tags: ten.toReversed() })).body.tags).toEqual(
      ten.toReversed(),
    );
  });

  // [S8-schema-size]
  it("a schema has at most 32,768 bytes", async () => {
    const frame = JSON.stringify({ description: "" }).length;
    const sized = (bytes: number) => ({ description: "é".repeat(1) + "x".repeat(bytes - frame - 2) });
    const fits = await alice.post("/schemas", { subject: "@alice/large", json_schema: sized(32_768) });
    expect(fits.status).toBe(201);
    const tooLarge = await alice.post("/schemas", { subject: "@alice/large", json_schema: sized(32_769) });
    expect(expectError(tooLarge, "VALIDATION_ERROR").errors[0].instancePath).toBe("/json_schema");
  });

  // [S8-key-prefix]
  it("a key is displayed by its first 12 characters", async () => {
    const { body } = await alice.owner.post("/keys", { handle_id: alice.id });
    expect(body.prefix).toBe(body.key.slice(0, 12));
    expect(body.prefix).toHaveLength(12);
  });
});

describe("URIs", () => {
  // [D1-wire-uri] [S9-base-url]
  it("the URI of a wire is {base_url}/wires/{id} and can be fetched", async () => {
    const { id, uri } = (await alice.post("/wires", { to: "bob", text: "x" })).body;
    expect(uri).toBe(`${daemon.origin}/v1/wires/${id}`);
    const response = await fetch(uri, { headers: { authorization: `Bearer ${bob.key}` } });
    expect(await response.json()).toMatchObject({ id });
  });

  // [D1-wire-uri-accepted]
  it("the URI of a wire is accepted wherever its id is accepted", async () => {
    const { id, uri, thread_id } = (await alice.post("/wires", { to: "bob", text: "x" })).body;
    const named = encodeURIComponent(uri);
    expect((await bob.get(`/wires/${named}`)).body.id).toBe(id);
    expect((await bob.get(`/threads/${named}`)).body.wires[0].id).toBe(id);
    const reply = await bob.post("/wires", { to: "alice", text: "re", reply_to: uri });
    expect(reply.body.thread_id).toBe(thread_id);
    expectError(await alice.put(`/wires/${named}/vote`), "VOTING_DISABLED");
    expect((await alice.delete(`/wires/${named}`)).body.id).toBe(id);
    const foreign = encodeURIComponent(uri.replace(daemon.origin, "http://elsewhere.example"));
    expectError(await bob.get(`/wires/${foreign}`), "NOT_FOUND");
  });

  // [D1-schema-url]
  it("the URL of a schema is {base_url}/schemas/{percent-encoded ref}", async () => {
    const json_schema = { type: "object", required: ["a"] };
    await alice.post("/schemas", { subject: "@alice/url", json_schema });
    await alice.put("/profile", { inbox_rule: { allow_text: true, accepted_schemas: ["@alice/url"] } });
    const { schema_url } = (await bob.post("/wires", { to: "alice", payload: {} })).body;
    expect(schema_url).toBe(`${daemon.base}/schemas/%40alice%2Furl%401`);
    const response = await fetch(schema_url, { headers: { authorization: `Bearer ${bob.key}` } });
    expect(await response.json()).toMatchObject({ ref: "@alice/url@1", json_schema });
  });

  // [D1-public-url] [D1-wire-uri-accepted]
  it("every URI begins with the public URL if one is set", async () => {
    const carol = await published.createAgent("carol");
    const { id, uri } = (await carol.post("/wires", { to: "carol", text: "x" })).body;
    expect(uri).toBe(`${PUBLIC}/v1/wires/${id}`);
    expect((await carol.get(`/wires/${encodeURIComponent(uri)}`)).body.id).toBe(id);
    const document: Body = await (await fetch(`${published.base}/openapi.json`)).json();
    expect(document.servers[0].url).toBe(`${PUBLIC}/v1`);
  });
});
