import { describe, expect, it } from "vitest";
import { createSpace, expectOk, expectRefused, readWire, sendWire } from "../harness/api-helpers.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon, alice, bob, eve } = await hostedFixture(["alice", "bob", "eve"]);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("POST /wires", () => {
  // [S4.1-send-created]
  it("returns 201 with exactly id, uri and thread_id", async () => {
    const sent = await sendWire(alice, "bob");
    expect(sent).toEqual({ id: sent.id, uri: `${daemon.base}/wires/${sent.id}`, thread_id: sent.id });
  });

  // [D4-to] [S1-at-optional] [S4.1-send-to]
  it("accepts @slug, slug and #slug as the target", async () => {
    const space = await createSpace(alice, "targets");
    expect(await readWire(bob, await sendWire(alice, "@bob"))).toMatchObject({ recipient_id: bob.id });
    expect(await readWire(bob, await sendWire(alice, "bob"))).toMatchObject({ recipient_id: bob.id });
    expect(await readWire(bob, await sendWire(alice, "#targets"))).toMatchObject({ space_id: space.id });
  });

  // [S4.1-send-to]
  it("requires a target", async () => {
    const { errors } = await expectRefused(alice.post("/wires", { text: "to whom?" }), "VALIDATION_ERROR");
    expect(errors).toEqual([
      { instancePath: "", keyword: "required", message: expect.stringContaining("to") },
    ]);
    for (const to of ["", "@", "Bob", "bo", "bob!", "##targets", "@@bob", 7, null, ["bob"]]) {
      await expectRefused(alice.post("/wires", { to, text: "hi" }), "VALIDATION_ERROR");
    }
  });

  // [S1-wire-content]
  it("accepts text, a payload, or both", async () => {
    expect(await readWire(bob, await sendWire(alice, "bob", { text: "just text" }))).toMatchObject({
      text_body: "just text",
      payload: null,
    });
    expect(await readWire(bob, await sendWire(alice, "bob", { payload: { n: 1 } }))).toMatchObject({
      text_body: null,
      payload: { n: 1 },
    });
    expect(await readWire(bob, await sendWire(alice, "bob", { text: "both", payload: [2] }))).toMatchObject({
      text_body: "both",
      payload: [2],
    });
  });

  // [D3-text-or-payload] [D3-null-absent]
  it("rejects a wire without text and payload, or with null for both", async () => {
    await expectRefused(alice.post("/wires", { to: "bob" }), "VALIDATION_ERROR");
    await expectRefused(alice.post("/wires", { to: "bob", text: null, payload: null }), "VALIDATION_ERROR");
    await expectRefused(alice.post("/wires", { to: "bob", reply_to: null }), "VALIDATION_ERROR");
  });

  // [D3-null-absent]
  it("treats null as an absent field", async () => {
    const sent = await sendWire(alice, "bob", { text: "x", payload: null, reply_to: null, reply_rule: null });
    expect(await readWire(bob, sent)).toMatchObject({ payload: null, reply_to: null, reply_rule: null });
    await sendWire(alice, "bob", { text: null, payload: 1 });
  });

  // [D3-text-not-empty]
  it("rejects an empty text", async () => {
    const { errors } = await expectRefused(alice.post("/wires", { to: "bob", text: "" }), "VALIDATION_ERROR");
    expect(errors[0].instancePath).toBe("/text");
    await expectRefused(alice.post("/wires", { to: "bob", text: "", payload: {} }), "VALIDATION_ERROR");
  });

  // [S4.1-send-text]
  it("accepts text of up to 8,192 code points", async () => {
    const longest = "😀".repeat(8_192);
    expect((await readWire(bob, await sendWire(alice, "bob", { text: longest }))).text_body).toBe(longest);
    const { errors } = await expectRefused(
      alice.post("/wires", { to: "bob", text: "a".repeat(8_193) }),
      "VALIDATION_ERROR",
    );
    expect(errors[0]).toMatchObject({ instancePath: "/text", keyword: "maxLength" });
  });

  // [D3-no-schema] [S4.1-send-payload]
  it.each([
    ["an object", { a: { b: [1, null] } }],
    ["an array", []],
    ["a string", ""],
    ["a number", -0.5],
    ["zero", 0],
    ["false", false],
  ])("accepts %s as payload, and returns it unchanged", async (_what, payload) => {
    const sent = await sendWire(alice, "bob", { payload });
    expect(await readWire(bob, sent)).toMatchObject({ payload, schema_ref: null });
  });

  // [D4-to-oneself]
  it("accepts the sender as the target", async () => {
    const sent = await sendWire(alice, "alice", { text: "note" });
    expect(await readWire(alice, sent)).toMatchObject({ sender_id: alice.id, recipient_id: alice.id });
    expect((await expectOk(alice.get("/inbox"))).wires.map((wire: { id: string }) => wire.id)).toContain(
      sent.id,
    );
  });

  // [D4-unknown-target]
  it("returns 404 for an unknown target and for a private space of others", async () => {
    await createSpace(bob, "bobs-den", { visibility: "private" });
    const hidden = await expectRefused(alice.post("/wires", { to: "#bobs-den", text: "knock" }), "NOT_FOUND");
    const missing = await expectRefused(
      alice.post("/wires", { to: "#no-space", text: "knock" }),
      "NOT_FOUND",
    );
    expect(hidden.message.replace("bobs-den", "no-space")).toBe(missing.message);
    await expectRefused(alice.post("/wires", { to: "no-handle", text: "x" }), "NOT_FOUND");
    await expectRefused(alice.post("/wires", { to: "#alice", text: "a handle is no space" }), "NOT_FOUND");
    await expectRefused(alice.post("/wires", { to: "bobs-den", text: "a space is no handle" }), "NOT_FOUND");
  });
});

describe("a reply", () => {
  // [S1-replies-form-thread] [D5-thread-id] [S4.1-send-reply]
  it("names its parent by id or URI, and joins its thread", async () => {
    const root = await sendWire(alice, "bob");
    const reply = await sendWire(bob, "alice", { text: "re", reply_to: root.id });
    const again = await sendWire(alice, "bob", { text: "re: re", reply_to: reply.uri });
    expect([root.thread_id, reply.thread_id, again.thread_id]).toEqual([root.id, root.id, root.id]);
    expect(await readWire(bob, again)).toMatchObject({ reply_to: reply.id, thread_id: root.id });
    expect(await readWire(bob, root)).toMatchObject({ reply_to: null, thread_id: root.id });
  });

  // [D4-reply-unseen]
  it("to a wire that the caller cannot read returns 404", async () => {
    const secret = await sendWire(alice, "bob", { text: "between us" });
    await createSpace(bob, "reply-den", { visibility: "private" });
    const inside = await sendWire(bob, "#reply-den");
    for (const reply_to of [secret.id, inside.id, inside.uri, "no-such-wire", crypto.randomUUID()]) {
      await expectRefused(eve.post("/wires", { to: "alice", text: "psst", reply_to }), "NOT_FOUND");
    }
  });

  // [D4-reply-same-place]
  it("must be in the same space as its parent, or a direct message like its parent: 400 otherwise", async () => {
    await createSpace(alice, "here");
    await createSpace(alice, "there");
    const here = await sendWire(alice, "#here");
    const dm = await sendWire(alice, "bob");
    const reply = { text: "re" };
    await expectRefused(
      alice.post("/wires", { to: "#there", ...reply, reply_to: here.id }),
      "VALIDATION_ERROR",
    );
    await expectRefused(alice.post("/wires", { to: "#here", ...reply, reply_to: dm.id }), "VALIDATION_ERROR");
    await expectRefused(alice.post("/wires", { to: "bob", ...reply, reply_to: here.id }), "VALIDATION_ERROR");
    await sendWire(bob, "#here", { ...reply, reply_to: here.id });
  });
});

describe("GET /wires/{id}", () => {
  // [A-wire-names] [S4.1-get-wire] [S2.2-wire-fields] [S2.2-uri] [S2.2-space-null] [S2.2-no-votes-on-dm]
  it("returns the complete wire by id and by URI", async () => {
    const sent = await sendWire(alice, "bob", { text: "fields", payload: { k: "v" } });
    const expected = {
      id: sent.id,
      sender_id: alice.id,
      recipient_id: bob.id,
      space_id: null,
      sender: "alice",
      recipient: "bob",
      space: null,
      text_body: "fields",
      payload: { k: "v" },
      schema_ref: null,
      reply_to: null,
      thread_id: sent.id,
      reply_rule: null,
      tombstone: null,
      created_at: expect.stringMatching(TIME),
      origin: { sent_by: "agent", approved: false, relation: "stranger" },
      hops: 0,
      mentions: [],
    };
    expect(await expectOk(bob.get(`/wires/${sent.id}`))).toEqual(expected);
    expect(await expectOk(alice.get(`/wires/${encodeURIComponent(sent.uri)}`))).toEqual({
      ...expected,
      delivery: { state: "queued", at: expect.stringMatching(TIME) },
    });
  });

  // [S2.2-recipient-null] [S2.2-no-votes-on-dm]
  it("returns a wire of a space to every reader of the space, with recipient_id null", async () => {
    const space = await createSpace(alice, "open-room");
    const sent = await sendWire(alice, "#open-room");
    const wire = await readWire(eve, sent);
    expect(wire).toMatchObject({ recipient_id: null, space_id: space.id, sender_id: alice.id });
    expect(wire).toMatchObject({ recipient: null, space: "open-room", sender: alice.slug });
    expect(wire).not.toHaveProperty("vote_count");
  });

  // [D5-dm-of-others] [S4.1-get-participants]
  it("returns a direct message only to its sender and recipient", async () => {
    const sent = await sendWire(alice, "bob");
    await readWire(alice, sent);
    await readWire(bob, sent);
    await expectRefused(eve.get(`/wires/${sent.id}`), "FORBIDDEN");
    await expectRefused(eve.get(`/wires/${encodeURIComponent(sent.uri)}`), "FORBIDDEN");
  });

  // [S4.1-get-wire]
  it("returns 404 for an unknown id", async () => {
    const { id } = await sendWire(alice, "bob");
    const foreign = `https://elsewhere.example/v1/wires/${id}`;
    for (const name of [crypto.randomUUID(), "x", "%00", encodeURIComponent(foreign), "%F0%9F%98%80"]) {
      await expectRefused(alice.get(`/wires/${name}`), "NOT_FOUND");
    }
  });
});
