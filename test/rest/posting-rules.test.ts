import { describe, expect, it } from "vitest";
import {
  createSpace,
  expectOk,
  expectRefused,
  readWire,
  registerSchema,
  schemaRequiring,
  sendWire,
} from "../harness/api-helpers.js";
import { hostedFixture } from "../harness/daemon-fixture.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"]);

const NO_TEXT = { allow_text: false };
const TEXT = { allow_text: true };
const COMPLETE = { allow_text: true, accepted_schemas: [], votable: false };

describe("a posting rule", () => {
  // [D3-rule-default] [D3-rule-complete] [D3-other-defaults]
  it("is {allow_text: true} by default", async () => {
    expect(await expectOk(alice.get("/profile"))).toMatchObject({
      inbox_rule: COMPLETE,
      contact_policy: "open",
    });
    expect(await createSpace(alice, "plain")).toMatchObject({
      root_rule: COMPLETE,
      reply_rule: COMPLETE,
      posting_rights: "anyone",
      allow_wire_reply_rules: false,
    });
  });

  // [D3-rule-complete] [D3-rule-votable] [S2.1-rule-fields]
  it("is returned with every field, and with inline_schema if one is set", async () => {
    const ref = await registerSchema(alice, "complete", schemaRequiring({ a: "string" }));
    const inline_schema = schemaRequiring({ b: "number" });
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
    const sent = await sendWire(alice, "bob", { text: "x", reply_rule: TEXT });
    expect((await readWire(bob, sent)).reply_rule).toEqual(COMPLETE);
  });

  // [S2.1-rule-fields]
  it.each([
    ["no allow_text", {}],
    ["allow_text that is not a boolean", { allow_text: "yes" }],
    ["an unknown field", { allow_text: true, allow_html: true }],
    ["accepted_schemas that is not an array", { allow_text: true, accepted_schemas: "@alice/x" }],
    ["a ref without @", { allow_text: true, accepted_schemas: ["alice/x"] }],
    ["inline_schema that is not an object", { allow_text: true, inline_schema: true }],
    ["votable that is not a boolean", { allow_text: true, votable: 1 }],
  ])("with %s returns 400 in every place where a rule is set", async (_what, rule) => {
    const human = await daemon.humanClient("alice");
    await expectRefused(alice.put("/profile", { inbox_rule: rule }), "VALIDATION_ERROR");
    await expectRefused(alice.post("/wires", { to: "bob", text: "x", reply_rule: rule }), "VALIDATION_ERROR");
    await expectRefused(
      alice.post("/spaces", { slug: "bad-rule", visibility: "public", root_rule: rule }),
      "VALIDATION_ERROR",
    );
    await expectRefused(alice.put("/spaces/plain", { reply_rule: rule }), "VALIDATION_ERROR");
    await expectRefused(human.post("/handles", { slug: "bad-rule", inbox_rule: rule }), "VALIDATION_ERROR");
  });

  // [D3-ref-missing]
  it("with a schema that does not exist returns 400 with its position", async () => {
    const ref = await registerSchema(alice, "exists", schemaRequiring({ a: "string" }));
    const rule = {
      allow_text: true,
      accepted_schemas: [ref, "@alice/exists", "@alice/exists@2", "@nobody/x"],
    };
    const missing = ["/inbox_rule/accepted_schemas/2", "/inbox_rule/accepted_schemas/3"];
    const { errors } = await expectRefused(alice.put("/profile", { inbox_rule: rule }), "VALIDATION_ERROR");
    expect(errors.map((reason: { instancePath: string }) => reason.instancePath)).toEqual(missing);
    await expectRefused(alice.post("/wires", { to: "bob", text: "x", reply_rule: rule }), "VALIDATION_ERROR");
    await expectRefused(
      alice.post("/spaces", { slug: "no-ref", visibility: "public", reply_rule: rule }),
      "VALIDATION_ERROR",
    );
    await expectRefused(alice.put("/spaces/plain", { root_rule: rule }), "VALIDATION_ERROR");
    await expectRefused(
      alice.owner.post("/handles", { slug: "no-ref", inbox_rule: rule }),
      "VALIDATION_ERROR",
    );
  });

  // [D3-refs-max]
  it("may contain up to 20 schemas", async () => {
    const ref = await registerSchema(alice, "many", {});
    const rule = (count: number) => ({ allow_text: true, accepted_schemas: Array(count).fill(ref) });
    await expectOk(alice.put("/profile", { inbox_rule: rule(20) }));
    await expectRefused(alice.put("/profile", { inbox_rule: rule(21) }), "VALIDATION_ERROR");
    await expectOk(alice.put("/profile", { inbox_rule: TEXT }));
  });

  // [D3-inline-checked]
  it.each([
    ["an unknown keyword", { minimun: 1 }],
    ["an unknown format", { format: "colour" }],
    ["a $ref to another document", { $ref: "https://example.com/other" }],
    ["a look-around pattern", { pattern: "(?=a)" }],
    ["more than 32 KB", { description: "x".repeat(32_768) }],
    ["another draft", { $schema: "http://json-schema.org/draft-07/schema#" }],
  ])("returns 400 for an invalid inline schema: %s", async (_what, inline_schema) => {
    const rule = { allow_text: true, inline_schema };
    const { errors } = await expectRefused(alice.put("/profile", { inbox_rule: rule }), "VALIDATION_ERROR");
    expect(errors[0].instancePath).toMatch(/^\/inbox_rule\/inline_schema/);
    await expectRefused(alice.post("/wires", { to: "bob", text: "x", reply_rule: rule }), "VALIDATION_ERROR");
  });

  // [D3-text-schemas]
  it("names its schemas to a sender of text, but does not show the inline schema", async () => {
    const first = (await registerSchema(alice, "first", schemaRequiring({ n: "number" }))).replace(/@1$/, "");
    const second = await registerSchema(alice, "second", schemaRequiring({ n: "number" }));
    const inline_schema = { description: "secret", ...schemaRequiring({ secret: "number" }) };
    const textTo = async (slug: string, inbox_rule: object) => {
      await daemon.createAgent(slug, {
        inbox_rule: { allow_text: false, ...inbox_rule },
        discoverable: false,
      });
      return expectRefused(alice.post("/wires", { to: slug, text: "hi" }), "POSTING_DENIED");
    };
    expect(await textTo("dora", { accepted_schemas: [first, second], inline_schema })).toEqual({
      code: "POSTING_DENIED",
      message: `@dora's inbox rule accepts no text; send a payload that is valid under ${first} or ${second} or the inline schema of the rule`,
      rule_source: "inbox",
      schema_ref: first,
    });
    expect(await textTo("ed0", { inline_schema })).toEqual({
      code: "POSTING_DENIED",
      message:
        "@ed0's inbox rule accepts no text; send a payload that is valid under the inline schema of the rule",
      rule_source: "inbox",
    });
    expect((await textTo("fred", {})).message).toBe("@fred's inbox rule accepts no text; send a payload");
  });

  // [S1-gated]
  it("can require a schema, allow text, or both", async () => {
    const accepted_schemas = [await registerSchema(alice, "gate", schemaRequiring({ n: "number" }))];
    const carol = await daemon.createAgent("carol", { inbox_rule: { allow_text: false, accepted_schemas } });
    const denied = await expectRefused(alice.post("/wires", { to: "carol", text: "hi" }), "POSTING_DENIED");
    expect(denied.schema_ref).toBe(accepted_schemas[0]);
    await expectRefused(
      alice.post("/wires", { to: "carol", payload: { n: "1" } }),
      "SCHEMA_VALIDATION_FAILED",
    );
    await sendWire(alice, "carol", { payload: { n: 1 } });
    await expectOk(carol.put("/profile", { inbox_rule: { allow_text: true, accepted_schemas } }));
    await sendWire(alice, "carol", { text: "hi" });
    await sendWire(alice, "carol", { text: "hi", payload: { n: 1 } });
    await expectRefused(
      alice.post("/wires", { to: "carol", text: "hi", payload: {} }),
      "SCHEMA_VALIDATION_FAILED",
    );
  });
});

describe("the rule that applies to", () => {
  const textTo = async (to: string, fields = {}) =>
    (await expectRefused(alice.post("/wires", { to, text: "text", ...fields }), "POSTING_DENIED"))
      .rule_source;

  // [D3-governs-root] [D3-text-denied]
  it("a root post in a space is root_rule", async () => {
    await createSpace(bob, "roots", { root_rule: NO_TEXT });
    expect(await textTo("#roots")).toBe("space_root");
    expect(await textTo("#roots", { payload: {} })).toBe("space_root");
    const root = await sendWire(alice, "#roots", { payload: {} });
    await sendWire(alice, "#roots", { text: "replies may be text", reply_to: root.id });
  });

  // [D3-governs-reply] [D3-text-denied]
  it("a reply in a space is the reply_rule of the space", async () => {
    await createSpace(bob, "replies", { reply_rule: NO_TEXT });
    const root = await sendWire(alice, "#replies");
    expect(await textTo("#replies", { reply_to: root.id })).toBe("space_reply");
  });

  // [D3-governs-reply] [D3-direct-replies]
  it("a reply in a space that allows direct replies is the reply_rule of the parent wire", async () => {
    await createSpace(bob, "own-rules", { allow_wire_reply_rules: true });
    const root = await sendWire(bob, "#own-rules", { text: "data only, please", reply_rule: NO_TEXT });
    expect(await textTo("#own-rules", { reply_to: root.id })).toBe("wire_reply_rule");
    const reply = await sendWire(alice, "#own-rules", { payload: {}, reply_to: root.id });
    await sendWire(alice, "#own-rules", { text: "a reply to the reply is free", reply_to: reply.id });
    await expectOk(bob.put("/spaces/own-rules", { allow_wire_reply_rules: false }));
    await sendWire(alice, "#own-rules", { text: "the rule no longer counts", reply_to: root.id });
    await expectOk(bob.put("/spaces/own-rules", { reply_rule: NO_TEXT, allow_wire_reply_rules: true }));
    const lenient = await sendWire(bob, "#own-rules", { text: "anything goes", reply_rule: TEXT });
    await sendWire(alice, "#own-rules", { text: "it wins over the space's", reply_to: lenient.id });
  });

  // [D3-governs-dm] [D3-text-denied]
  it("a direct message is the inbox_rule of the recipient", async () => {
    await daemon.createAgent("dave", { inbox_rule: NO_TEXT });
    expect(await textTo("dave")).toBe("inbox");
    await sendWire(alice, "dave", { payload: "no text" });
  });

  // [D3-governs-dm] [D3-direct-replies]
  it("a reply to a direct message is the reply_rule of its parent, if there is one", async () => {
    const dm = await sendWire(bob, "alice", { text: "data only", reply_rule: NO_TEXT });
    expect(await textTo("bob", { reply_to: dm.id })).toBe("wire_reply_rule");
    const reply = await sendWire(alice, "bob", { payload: {}, reply_to: dm.id });
    await sendWire(bob, "alice", { text: "a reply to the reply is free", reply_to: reply.id });
    await sendWire(alice, "bob", { text: "so is a new wire" });
  });

  // [D3-governs-dm]
  it("a reply to a direct message may be less strict than the inbox rule", async () => {
    const erin = await daemon.createAgent("erin", { inbox_rule: NO_TEXT });
    const dm = await sendWire(erin, "alice", { text: "you may write", reply_rule: TEXT });
    await sendWire(alice, "erin", { text: "thanks", reply_to: dm.id });
    const plain = await sendWire(erin, "alice", { text: "no rule on this one" });
    expect(await textTo("erin", { reply_to: plain.id })).toBe("inbox");
  });

  // [D3-governs-dm]
  it("a direct message to a third handle is never the reply_rule of the parent", async () => {
    await daemon.createAgent("frank", { inbox_rule: NO_TEXT });
    const note = await sendWire(alice, "alice", { text: "to myself", reply_rule: TEXT });
    expect(await textTo("frank", { reply_to: note.id })).toBe("inbox");
    const toFrank = await sendWire(alice, "frank", { payload: {}, reply_rule: TEXT });
    expect(await textTo("frank", { reply_to: toFrank.id })).toBe("inbox");
  });

  // [D3-reply-rule-refused]
  it("a post in a space is never a reply_rule that the space does not allow", async () => {
    await createSpace(bob, "no-own-rules");
    await expectRefused(
      alice.post("/wires", { to: "#no-own-rules", text: "x", reply_rule: TEXT }),
      "POSTING_DENIED",
    );
    const feed = await expectOk(alice.get("/spaces/no-own-rules/wires"));
    expect(feed.wires).toEqual([]);
  });
});

describe("the posting rights of a space", () => {
  // [D4-posting-rights]
  it("determine who may post: anyone, members or moderators", async () => {
    const [owner, mod, poster, reader, guest] = await Promise.all(
      ["p-owner", "p-mod", "p-poster", "p-reader", "p-guest"].map((slug) => daemon.createAgent(slug)),
    );
    await createSpace(owner!, "rights");
    const members = [
      { handle: "p-mod", role: "mod" },
      { handle: "p-poster", role: "poster" },
      { handle: "p-reader", role: "reader" },
    ];
    await expectOk(owner!.put("/spaces/rights", { members }));
    const everyone = [owner!, mod!, poster!, reader!, guest!];
    const outcomes = async (posting_rights: string) => {
      await expectOk(owner!.put("/spaces/rights", { posting_rights }));
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

describe("the value null", () => {
  // [D3-null-refused]
  it("returns 400 except in POST /wires and for nullable fields", async () => {
    await expectRefused(alice.put("/profile", { inbox_rule: null }), "VALIDATION_ERROR");
    await expectRefused(alice.put("/profile", { tags: null }), "VALIDATION_ERROR");
    await expectRefused(alice.put("/profile", { discoverable: null }), "VALIDATION_ERROR");
    await expectRefused(alice.post("/knocks", { handle: "bob", intro: null }), "VALIDATION_ERROR");
    await expectRefused(
      alice.post("/spaces", { slug: "nulls", visibility: "public", root_rule: null }),
      "VALIDATION_ERROR",
    );
    await expectOk(alice.put("/profile", { display_name: null, bio: null }));
  });
});
