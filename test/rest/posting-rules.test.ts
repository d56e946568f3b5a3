import { describe, expect, it } from "vitest";
import { fileDaemon } from "../harness/file-daemon.js";
import { createSpace, ok, refused, register, requiring, send, wireOf } from "../harness/talk.js";

const { daemon, alice, bob } = await fileDaemon(["alice", "bob"]);

const NO_TEXT = { allow_text: false };
const TEXT = { allow_text: true };
const COMPLETE = { allow_text: true, accepted_schemas: [], votable: false };

describe("a rule", () => {
  it("that is not given is {allow_text: true} [D3-rule-default] [D3-rule-complete] [D3-other-defaults]", async () => {
    expect(await ok(alice.get("/profile"))).toMatchObject({ inbox_rule: COMPLETE, contact_policy: "open" });
    expect(await createSpace(alice, "plain")).toMatchObject({
      root_rule: COMPLETE,
      reply_rule: COMPLETE,
      posting_rights: "anyone",
      allow_wire_reply_rules: false,
    });
  });

  it("is answered with every field, inline_schema where one is set [D3-rule-complete] [D3-rule-votable] [S2.1-rule-fields]", async () => {
    const ref = await register(alice, "complete", requiring({ a: "string" }));
    const inline_schema = requiring({ b: "number" });
    const space = await createSpace(alice, "ruled", {
      root_rule: { allow_text: false, accepted_schemas: [ref], inline_schema, votable: true },
      reply_rule: { allow_text: false },
    });
    expect(space.root_rule).toEqual({
      allow_text: false,
      accepted_schemas: [ref],
      inline_schema,
      votable: true,
    });
    expect(space.reply_rule).toEqual({ allow_text: false, accepted_schemas: [], votable: false });
    const sent = await send(alice, "bob", { text: "x", reply_rule: TEXT });
    expect((await wireOf(bob, sent)).reply_rule).toEqual(COMPLETE);
  });

  it.each([
    ["no allow_text", {}],
    ["allow_text that is no boolean", { allow_text: "yes" }],
    ["an unknown field", { allow_text: true, allow_html: true }],
    ["accepted_schemas that is no array", { allow_text: true, accepted_schemas: "@alice/x" }],
    ["a ref without its sign", { allow_text: true, accepted_schemas: ["alice/x"] }],
    ["inline_schema that is no object", { allow_text: true, inline_schema: true }],
    ["votable that is no boolean", { allow_text: true, votable: 1 }],
  ])("with %s is 400 wherever it is set [S2.1-rule-fields]", async (_what, rule) => {
    const human = await daemon.human("alice");
    await refused(alice.put("/profile", { inbox_rule: rule }), "VALIDATION_ERROR");
    await refused(alice.post("/wires", { to: "bob", text: "x", reply_rule: rule }), "VALIDATION_ERROR");
    await refused(
      alice.post("/spaces", { slug: "bad-rule", visibility: "public", root_rule: rule }),
      "VALIDATION_ERROR",
    );
    await refused(alice.put("/spaces/plain", { reply_rule: rule }), "VALIDATION_ERROR");
    await refused(human.post("/handles", { slug: "bad-rule", inbox_rule: rule }), "VALIDATION_ERROR");
  });

  it("that names a schema which does not exist is 400, with the place [D3-ref-missing]", async () => {
    const ref = await register(alice, "exists", requiring({ a: "string" }));
    const rule = {
      allow_text: true,
      accepted_schemas: [ref, "@alice/exists", "@alice/exists@2", "@nobody/x"],
    };
    const missing = ["/inbox_rule/accepted_schemas/2", "/inbox_rule/accepted_schemas/3"];
    const { errors } = await refused(alice.put("/profile", { inbox_rule: rule }), "VALIDATION_ERROR");
    expect(errors.map((reason: { instancePath: string }) => reason.instancePath)).toEqual(missing);
    await refused(alice.post("/wires", { to: "bob", text: "x", reply_rule: rule }), "VALIDATION_ERROR");
    await refused(
      alice.post("/spaces", { slug: "no-ref", visibility: "public", reply_rule: rule }),
      "VALIDATION_ERROR",
    );
    await refused(alice.put("/spaces/plain", { root_rule: rule }), "VALIDATION_ERROR");
    await refused(alice.owner.post("/handles", { slug: "no-ref", inbox_rule: rule }), "VALIDATION_ERROR");
  });

  it("names 20 schemas at most [D3-refs-max]", async () => {
    const ref = await register(alice, "many", {});
    const rule = (count: number) => ({ allow_text: true, accepted_schemas: Array(count).fill(ref) });
    await ok(alice.put("/profile", { inbox_rule: rule(20) }));
    await refused(alice.put("/profile", { inbox_rule: rule(21) }), "VALIDATION_ERROR");
    await ok(alice.put("/profile", { inbox_rule: TEXT }));
  });

  it.each([
    ["an unknown keyword", { minimun: 1 }],
    ["an unknown format", { format: "colour" }],
    ["a $ref out of the document", { $ref: "https://example.com/other" }],
    ["a look-around pattern", { pattern: "(?=a)" }],
    ["more than 32 KB", { description: "x".repeat(32_768) }],
    ["another draft", { $schema: "http://json-schema.org/draft-07/schema#" }],
  ])(
    "has its inline schema checked as a registered one is: %s is 400 [D3-inline-checked]",
    async (_what, inline_schema) => {
      const rule = { allow_text: true, inline_schema };
      const { errors } = await refused(alice.put("/profile", { inbox_rule: rule }), "VALIDATION_ERROR");
      expect(errors[0].instancePath).toMatch(/^\/inbox_rule\/inline_schema/);
      await refused(alice.post("/wires", { to: "bob", text: "x", reply_rule: rule }), "VALIDATION_ERROR");
    },
  );

  it("can demand a schema, allow text, or both [S1-gated]", async () => {
    const accepted_schemas = [await register(alice, "gate", requiring({ n: "number" }))];
    const carol = await daemon.agent("carol", { inbox_rule: { allow_text: false, accepted_schemas } });
    await refused(alice.post("/wires", { to: "carol", text: "hi" }), "POSTING_DENIED");
    await refused(alice.post("/wires", { to: "carol", payload: { n: "1" } }), "SCHEMA_VALIDATION_FAILED");
    await send(alice, "carol", { payload: { n: 1 } });
    await ok(carol.put("/profile", { inbox_rule: { allow_text: true, accepted_schemas } }));
    await send(alice, "carol", { text: "hi" });
    await send(alice, "carol", { text: "hi", payload: { n: 1 } });
    await refused(alice.post("/wires", { to: "carol", text: "hi", payload: {} }), "SCHEMA_VALIDATION_FAILED");
  });
});

describe("the rule that governs", () => {
  const textTo = async (to: string, fields = {}) =>
    (await refused(alice.post("/wires", { to, text: "text", ...fields }), "POSTING_DENIED")).rule_source;

  it("a space root is root_rule [D3-governs-root] [D3-text-denied]", async () => {
    await createSpace(bob, "roots", { root_rule: NO_TEXT });
    expect(await textTo("#roots")).toBe("space_root");
    expect(await textTo("#roots", { payload: {} })).toBe("space_root");
    const root = await send(alice, "#roots", { payload: {} });
    await send(alice, "#roots", { text: "replies may be text", reply_to: root.id });
  });

  it("a space reply is the space's reply_rule [D3-governs-reply] [D3-text-denied]", async () => {
    await createSpace(bob, "replies", { reply_rule: NO_TEXT });
    const root = await send(alice, "#replies");
    expect(await textTo("#replies", { reply_to: root.id })).toBe("space_reply");
  });

  it("a space reply is its parent's reply_rule, where the space allows it [D3-governs-reply] [D3-direct-replies]", async () => {
    await createSpace(bob, "own-rules", { allow_wire_reply_rules: true });
    const root = await send(bob, "#own-rules", { text: "data only, please", reply_rule: NO_TEXT });
    expect(await textTo("#own-rules", { reply_to: root.id })).toBe("wire_reply_rule");
    const reply = await send(alice, "#own-rules", { payload: {}, reply_to: root.id });
    await send(alice, "#own-rules", { text: "a reply to the reply is free", reply_to: reply.id });
    await ok(bob.put("/spaces/own-rules", { allow_wire_reply_rules: false }));
    await send(alice, "#own-rules", { text: "the rule no longer counts", reply_to: root.id });
    await ok(bob.put("/spaces/own-rules", { reply_rule: NO_TEXT, allow_wire_reply_rules: true }));
    const lenient = await send(bob, "#own-rules", { text: "anything goes", reply_rule: TEXT });
    await send(alice, "#own-rules", { text: "it wins over the space's", reply_to: lenient.id });
  });

  it("a DM is the recipient's inbox_rule [D3-governs-dm] [D3-text-denied]", async () => {
    await daemon.agent("dave", { inbox_rule: NO_TEXT });
    expect(await textTo("dave")).toBe("inbox");
    await send(alice, "dave", { payload: "no text" });
  });

  it("a DM reply is its parent's reply_rule where it has one [D3-governs-dm] [D3-direct-replies]", async () => {
    const dm = await send(bob, "alice", { text: "data only", reply_rule: NO_TEXT });
    expect(await textTo("bob", { reply_to: dm.id })).toBe("wire_reply_rule");
    const reply = await send(alice, "bob", { payload: {}, reply_to: dm.id });
    await send(bob, "alice", { text: "a reply to the reply is free", reply_to: reply.id });
    await send(alice, "bob", { text: "so is a new wire" });
  });

  it("a DM reply may be laxer than the inbox [D3-governs-dm]", async () => {
    const erin = await daemon.agent("erin", { inbox_rule: NO_TEXT });
    const dm = await send(erin, "alice", { text: "you may write", reply_rule: TEXT });
    await send(alice, "erin", { text: "thanks", reply_to: dm.id });
    const plain = await send(erin, "alice", { text: "no rule on this one" });
    expect(await textTo("erin", { reply_to: plain.id })).toBe("inbox");
  });

  it("a DM reply is no way around the inbox of a third: a reply_rule opens that of its own sender alone [D3-governs-dm]", async () => {
    await daemon.agent("frank", { inbox_rule: NO_TEXT });
    const note = await send(alice, "alice", { text: "to myself", reply_rule: TEXT });
    expect(await textTo("frank", { reply_to: note.id })).toBe("inbox");
    const toFrank = await send(alice, "frank", { payload: {}, reply_rule: TEXT });
    expect(await textTo("frank", { reply_to: toFrank.id })).toBe("inbox");
  });

  it("never lets a reply_rule into a space that does not allow it [D3-reply-rule-refused]", async () => {
    await createSpace(bob, "no-own-rules");
    await refused(
      alice.post("/wires", { to: "#no-own-rules", text: "x", reply_rule: TEXT }),
      "POSTING_DENIED",
    );
    const feed = await ok(alice.get("/spaces/no-own-rules/wires"));
    expect(feed.wires).toEqual([]);
  });
});

describe("posting rights", () => {
  it("say who may post: anyone, members or mods [D4-posting-rights]", async () => {
    const [owner, mod, poster, reader, guest] = await Promise.all(
      ["p-owner", "p-mod", "p-poster", "p-reader", "p-guest"].map((slug) => daemon.agent(slug)),
    );
    await createSpace(owner!, "rights");
    const members = [
      { handle: "p-mod", role: "mod" },
      { handle: "p-poster", role: "poster" },
      { handle: "p-reader", role: "reader" },
    ];
    await ok(owner!.put("/spaces/rights", { members }));
    const everyone = [owner!, mod!, poster!, reader!, guest!];
    const outcomes = async (posting_rights: string) => {
      await ok(owner!.put("/spaces/rights", { posting_rights }));
      const replies = await Promise.all(
        everyone.map((agent) => agent.post("/wires", { to: "#rights", text: "x" })),
      );
      return replies.map(({ status, body }) => body.code ?? status);
    };
    const no = "POSTING_DENIED";
    expect(await outcomes("anyone")).toEqual([201, 201, 201, 201, 201]);
    expect(await outcomes("members")).toEqual([201, 201, 201, no, no]);
    expect(await outcomes("mods")).toEqual([201, 201, no, no, no]);
  });
});

describe("null", () => {
  it("is 400 outside POST /wires, unless the field's type names it [D3-null-refused]", async () => {
    await refused(alice.put("/profile", { inbox_rule: null }), "VALIDATION_ERROR");
    await refused(alice.put("/profile", { tags: null }), "VALIDATION_ERROR");
    await refused(alice.put("/profile", { discoverable: null }), "VALIDATION_ERROR");
    await refused(alice.post("/knocks", { handle: "bob", intro: null }), "VALIDATION_ERROR");
    await refused(
      alice.post("/spaces", { slug: "nulls", visibility: "public", root_rule: null }),
      "VALIDATION_ERROR",
    );
    await ok(alice.put("/profile", { display_name: null, bio: null }));
  });
});
