import { describe, expect, it } from "vitest";
import { fileDaemon } from "../harness/file-daemon.js";
import { createSpace, ok, refused, send, wireOf } from "../harness/talk.js";

const { daemon, alice, bob, eve } = await fileDaemon(["alice", "bob", "eve"]);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("POST /wires", () => {
  it("answers 201 with id, uri and thread_id, and nothing else [S4.1-send-created]", async () => {
    const sent = await send(alice, "bob");
    expect(sent).toEqual({ id: sent.id, uri: `${daemon.base}/wires/${sent.id}`, thread_id: sent.id });
  });

  it("takes @slug, slug and #slug as target [D4-to] [S4.1-send-to] [S1-at-optional]", async () => {
    const space = await createSpace(alice, "targets");
    expect(await wireOf(bob, await send(alice, "@bob"))).toMatchObject({ recipient_id: bob.id });
    expect(await wireOf(bob, await send(alice, "bob"))).toMatchObject({ recipient_id: bob.id });
    expect(await wireOf(bob, await send(alice, "#targets"))).toMatchObject({ space_id: space.id });
  });

  it("needs a target [S4.1-send-to]", async () => {
    const { errors } = await refused(alice.post("/wires", { text: "to whom?" }), "VALIDATION_ERROR");
    expect(errors).toEqual([
      { instancePath: "", keyword: "required", message: expect.stringContaining("to") },
    ]);
    for (const to of ["", "@", "Bob", "bo", "bob!", "##targets", "@@bob", 7, null, ["bob"]]) {
      await refused(alice.post("/wires", { to, text: "hi" }), "VALIDATION_ERROR");
    }
  });

  it("carries text, a payload, or both [S1-wire-content]", async () => {
    expect(await wireOf(bob, await send(alice, "bob", { text: "just text" }))).toMatchObject({
      text_body: "just text",
      payload: null,
    });
    expect(await wireOf(bob, await send(alice, "bob", { payload: { n: 1 } }))).toMatchObject({
      text_body: null,
      payload: { n: 1 },
    });
    expect(await wireOf(bob, await send(alice, "bob", { text: "both", payload: [2] }))).toMatchObject({
      text_body: "both",
      payload: [2],
    });
  });

  it("refuses a wire without text and payload, nulls included [D3-text-or-payload] [D3-null-absent]", async () => {
    await refused(alice.post("/wires", { to: "bob" }), "VALIDATION_ERROR");
    await refused(alice.post("/wires", { to: "bob", text: null, payload: null }), "VALIDATION_ERROR");
    await refused(alice.post("/wires", { to: "bob", reply_to: null }), "VALIDATION_ERROR");
  });

  it("takes null as an absent field [D3-null-absent]", async () => {
    const sent = await send(alice, "bob", { text: "x", payload: null, reply_to: null, reply_rule: null });
    expect(await wireOf(bob, sent)).toMatchObject({ payload: null, reply_to: null, reply_rule: null });
    await send(alice, "bob", { text: null, payload: 1 });
  });

  it("refuses empty text [D3-text-not-empty]", async () => {
    const { errors } = await refused(alice.post("/wires", { to: "bob", text: "" }), "VALIDATION_ERROR");
    expect(errors[0].instancePath).toBe("/text");
    await refused(alice.post("/wires", { to: "bob", text: "", payload: {} }), "VALIDATION_ERROR");
  });

  it("takes text of 8,192 characters and no more, each code point counting once [S4.1-send-text]", async () => {
    const longest = "😀".repeat(8_192);
    expect((await wireOf(bob, await send(alice, "bob", { text: longest }))).text_body).toBe(longest);
    const { errors } = await refused(
      alice.post("/wires", { to: "bob", text: "a".repeat(8_193) }),
      "VALIDATION_ERROR",
    );
    expect(errors[0]).toMatchObject({ instancePath: "/text", keyword: "maxLength" });
  });

  it.each([
    ["an object", { a: { b: [1, null] } }],
    ["an array", []],
    ["a string", ""],
    ["a number", -0.5],
    ["zero", 0],
    ["false", false],
  ])("takes %s as payload, unchanged [S4.1-send-payload] [D3-no-schema]", async (_what, payload) => {
    const sent = await send(alice, "bob", { payload });
    expect(await wireOf(bob, sent)).toMatchObject({ payload, schema_ref: null });
  });

  it("reaches oneself: a note to self [D4-to-oneself]", async () => {
    const sent = await send(alice, "alice", { text: "note" });
    expect(await wireOf(alice, sent)).toMatchObject({ sender_id: alice.id, recipient_id: alice.id });
    expect((await ok(alice.get("/inbox"))).wires.map((wire: { id: string }) => wire.id)).toContain(sent.id);
  });

  it("answers 404 for an unknown target, a private space of others included [D4-unknown-target]", async () => {
    await createSpace(bob, "bobs-den", { visibility: "private" });
    const hidden = await refused(alice.post("/wires", { to: "#bobs-den", text: "knock" }), "NOT_FOUND");
    const missing = await refused(alice.post("/wires", { to: "#no-space", text: "knock" }), "NOT_FOUND");
    expect(hidden.message.replace("bobs-den", "no-space")).toBe(missing.message);
    await refused(alice.post("/wires", { to: "no-handle", text: "x" }), "NOT_FOUND");
    await refused(alice.post("/wires", { to: "#alice", text: "a handle is no space" }), "NOT_FOUND");
    await refused(alice.post("/wires", { to: "bobs-den", text: "a space is no handle" }), "NOT_FOUND");
  });
});

describe("a reply", () => {
  it("names its parent by id or URI and joins its thread [S4.1-send-reply] [S1-replies-form-thread] [D5-thread-id]", async () => {
    const root = await send(alice, "bob");
    const reply = await send(bob, "alice", { text: "re", reply_to: root.id });
    const again = await send(alice, "bob", { text: "re: re", reply_to: reply.uri });
    expect([root.thread_id, reply.thread_id, again.thread_id]).toEqual([root.id, root.id, root.id]);
    expect(await wireOf(bob, again)).toMatchObject({ reply_to: reply.id, thread_id: root.id });
    expect(await wireOf(bob, root)).toMatchObject({ reply_to: null, thread_id: root.id });
  });

  it("to what the caller cannot see is 404 [D4-reply-unseen]", async () => {
    const secret = await send(alice, "bob", { text: "between us" });
    await createSpace(bob, "reply-den", { visibility: "private" });
    const inside = await send(bob, "#reply-den");
    for (const reply_to of [secret.id, inside.id, inside.uri, "no-such-wire", crypto.randomUUID()]) {
      await refused(eve.post("/wires", { to: "alice", text: "psst", reply_to }), "NOT_FOUND");
    }
  });

  it("stays in its space, and one to a DM in DMs: 400 otherwise [D4-reply-same-place]", async () => {
    await createSpace(alice, "here");
    await createSpace(alice, "there");
    const here = await send(alice, "#here");
    const dm = await send(alice, "bob");
    const reply = { text: "re" };
    await refused(alice.post("/wires", { to: "#there", ...reply, reply_to: here.id }), "VALIDATION_ERROR");
    await refused(alice.post("/wires", { to: "#here", ...reply, reply_to: dm.id }), "VALIDATION_ERROR");
    await refused(alice.post("/wires", { to: "bob", ...reply, reply_to: here.id }), "VALIDATION_ERROR");
    await send(bob, "#here", { ...reply, reply_to: here.id });
  });
});

describe("GET /wires/{id}", () => {
  it("answers the whole wire by id and by URI [S4.1-get-wire] [S2.2-wire-fields] [S2.2-uri] [A-wire-names] [S2.2-space-null] [S2.2-no-votes-on-dm]", async () => {
    const sent = await send(alice, "bob", { text: "fields", payload: { k: "v" } });
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
    };
    expect(await ok(bob.get(`/wires/${sent.id}`))).toEqual(expected);
    expect(await ok(alice.get(`/wires/${encodeURIComponent(sent.uri)}`))).toEqual(expected);
  });

  it("shows a space wire to every reader of the space, with recipient_id null [S2.2-recipient-null]", async () => {
    const space = await createSpace(alice, "open-room");
    const sent = await send(alice, "#open-room");
    const wire = await wireOf(eve, sent);
    expect(wire).toMatchObject({ recipient_id: null, space_id: space.id, sender_id: alice.id });
    expect(wire).toMatchObject({ recipient: null, space: "open-room", sender: alice.slug });
    expect(wire).not.toHaveProperty("vote_count");
  });

  it("shows a DM wire to its sender and recipient alone [S4.1-get-participants] [D5-dm-of-others]", async () => {
    const sent = await send(alice, "bob");
    await wireOf(alice, sent);
    await wireOf(bob, sent);
    await refused(eve.get(`/wires/${sent.id}`), "FORBIDDEN");
    await refused(eve.get(`/wires/${encodeURIComponent(sent.uri)}`), "FORBIDDEN");
  });

  it("answers 404 for what does not exist [S4.1-get-wire]", async () => {
    const { id } = await send(alice, "bob");
    const foreign = `https://elsewhere.example/v1/wires/${id}`;
    for (const name of [crypto.randomUUID(), "x", "%00", encodeURIComponent(foreign), "%F0%9F%98%80"]) {
      await refused(alice.get(`/wires/${name}`), "NOT_FOUND");
    }
  });
});
