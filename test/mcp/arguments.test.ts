import { beforeAll, describe, expect, it } from "vitest";
import type { Body } from "../harness/daemon.js";
import { hostedFixture } from "../harness/daemon-fixture.js";
import { hold } from "../harness/held-requests.js";
import {
  jsonRpcToolCaller,
  modernMessage,
  postJsonRpc,
  postToMcp,
  type ToolCaller,
  toToolResult,
} from "../harness/mcp.js";

const { daemon, alice, bob } = await hostedFixture(["alice", "bob"], {
  args: ["--limit", "knocks_per_hour=1"],
});
let tools: ToolCaller;

beforeAll(async () => {
  tools = jsonRpcToolCaller(daemon, alice);
});

/** Calls a tool with arguments as raw JSON text. */
async function callWithText(name: string, text: string) {
  const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${text}}}`;
  const reply = await postToMcp(daemon, alice.key, message);
  expect(reply.status).toBe(200);
  return toToolResult(reply.body.result);
}

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("the arguments of a tool are parsed as strictly as a REST body", () => {
  // [D8-mcp-strict-json] [S1-mcp-same-envelope]
  it.each([
    ["a duplicate key", '{"to":"@bob","text":"a","text":"b"}'],
    ["a duplicate key deep inside", '{"to":"@bob","payload":{"a":[{"b":1,"b":2}]}}'],
    ["a number that a double cannot hold", '{"to":"@bob","payload":{"n":1e400}}'],
    ["an integer that a double rounds", '{"to":"@bob","payload":9007199254740993}'],
    ["a lone surrogate", '{"to":"@bob","text":"\\ud800"}'],
    ["65 levels", `{"to":"@bob","payload":${nested(64)}}`],
    ["a field named __proto__", '{"to":"@bob","text":"a","__proto__":{"x":1}}'],
    ["a field named constructor", '{"to":"@bob","text":"a","constructor":1}'],
  ])("with %s: the same 400 response as over REST", async (_, text) => {
    const reply = await alice.post("/wires", text);
    const result = await callWithText("send_wire", text);
    expect(reply.status).toBe(400);
    expect(result).toMatchObject({ isError: true, body: reply.body });
  });

  // [D8-mcp-strict-json]
  it("without the fast path, too, in each protocol version", async () => {
    const text = '{"to":"@bob","text":"a","text":"b"}';
    const { body } = await alice.post("/wires", text);
    const { headers, body: modern } = modernMessage("tools/call", { name: "send_wire", arguments: 0 });
    const legacy = { ...modern, params: { ...modern.params, _meta: { progressToken: 1 } } };
    for (const [message, own] of [
      [modern, headers],
      [legacy, { "mcp-protocol-version": "2025-11-25" }],
    ] as const) {
      const raw = JSON.stringify(message).replace('"arguments":0', `"arguments":${text}`);
      const reply = await postToMcp(daemon, alice.key, raw, own);
      expect(reply).toMatchObject({
        status: 200,
        body: { result: { isError: true, structuredContent: body } },
      });
    }
  });

  // [D8-mcp-strict-json] [D8-mcp-error-result]
  it("in a batch each for itself", async () => {
    const call = (id: number, text: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"send_wire","arguments":${text}}}`;
    const texts = [
      '{"to":"@alice","text":"a, \\"]} first"}',
      '{"to":"@alice","text":"b","text":"c"}',
      `{"to":"@alice","payload":${nested(63)}}`,
      '{"to":"@alice","payload":{"n":1e400}}',
      '{"to":"@alice","payload":[]}',
    ];
    const prompt =
      '{"jsonrpc":"2.0","id":9,"method":"prompts/get","params":{"name":"ask_agent","arguments":{"handle":"a","handle":"b"}}}';
    const calls = texts.map((text, n) => call(n, text));
    const { status, body } = await postToMcp(daemon, alice.key, ` [ ${[...calls, prompt].join(" , ")} ] `);
    expect(status).toBe(200);
    const answers = body.sort((a: Body, b: Body) => a.id - b.id);
    const refused = (instancePath: string) => ({
      isError: true,
      structuredContent: { code: "VALIDATION_ERROR", errors: [{ instancePath, keyword: "json" }] },
    });
    expect(answers.map(({ result }: Body) => result?.isError)).toEqual([
      undefined,
      true,
      undefined,
      true,
      undefined,
      undefined,
    ]);
    expect(answers[1].result).toMatchObject(refused("/text"));
    expect(answers[3].result).toMatchObject(refused("/payload/n"));
    expect(answers[5].error).toMatchObject({ code: -32602, data: { errors: [{ instancePath: "/handle" }] } });
  });

  // [D8-mcp-strict-json]
  it("is no reason to accept another message of the batch that is malformed", async () => {
    const send = '"jsonrpc":"2.0","method":"tools/call","params":{"name":"send_wire","arguments":';
    const good = `{"id":1,${send}{"to":"@alice","text":"never sent"}}}`;
    const bad = `{"id":2,${send}{"to":"@alice","text":"b","text":"c"}}}`;
    for (const [malformed, instancePath] of [
      ['{"jsonrpc":"2.0","id":3,"id":4,"method":"ping"}', "/2/id"],
      [`{"id":3,${send}{"a":1,"a":2}},"params":5}`, "/2/params/arguments/a"],
      [
        '{"id":3,"jsonrpc":"2.0","method":"ping","params":{"arguments":[1],"arguments":[1]}}',
        "/2/params/arguments",
      ],
    ]) {
      const reply = await postToMcp(daemon, alice.key, `[${good},${bad},${malformed}]`);
      expect(reply).toMatchObject({
        status: 400,
        body: { error: { code: -32700, data: { errors: [{ instancePath }] } } },
      });
    }
    expect(JSON.stringify((await alice.get("/sent")).body)).not.toContain("never sent");
  });

  // [D8-mcp-strict-json]
  it("with 64 levels of nesting they are accepted and returned unchanged", async () => {
    const deep = nested(63);
    const sent = await callWithText("send_wire", `{"to":"@bob","payload":${deep}}`);
    expect(sent.isError).toBe(false);
    const { body } = await tools.call("get_wire", { id: sent.body.id });
    expect(JSON.stringify(body.payload)).toBe(deep);
  });

  // [D8-mcp-error-result]
  it.each(["[]", "null", '"to"', "1"])(
    "%s is rejected with VALIDATION_ERROR, because it is not an object",
    async (text) => {
      const result = await callWithText("send_wire", text);
      expect(result).toMatchObject({
        isError: true,
        body: { code: "VALIDATION_ERROR", errors: [{ instancePath: "" }] },
      });
    },
  );

  // [D8-mcp-error-result]
  it("an object that JavaScript cannot convert to text or a number is rejected, too", async () => {
    const odd = { toString: 1, valueOf: 1 };
    expect(await tools.call("update_profile", { clear: [odd] })).toMatchObject({
      isError: true,
      body: { code: "VALIDATION_ERROR", errors: [{ instancePath: "/clear/0" }] },
    });
    // Only a call with a progress token reads the time to wait before the operation does.
    const params = { name: "read_inbox", arguments: { wait: odd }, _meta: { progressToken: 1 } };
    const { status, body } = await postJsonRpc(daemon, alice.key, "tools/call", params);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.result).toMatchObject({
      isError: true,
      structuredContent: { code: "VALIDATION_ERROR", errors: [{ instancePath: "/wait" }] },
    });
  });

  // [D8-mcp-structured-content]
  it("text is returned unchanged", async () => {
    const text = "a\u0000b \u2028 \ud83d\ude00 \u00e9";
    const payload = { "": null, __proto__x: [1.5, -0.001, 1e21], nul: "\u0000" };
    const sent = await tools.call("send_wire", { to: "@bob", text, payload });
    const { body } = await tools.call("get_wire", { id: sent.body.id });
    expect(body).toMatchObject({ text_body: text, payload });
  });
});

describe("an argument that differs from REST", () => {
  // [D8-mcp-vote-wire]
  it("vote is a boolean, and removes the vote if it is false", async () => {
    await alice.post("/spaces", {
      slug: "polls",
      visibility: "public",
      root_rule: { allow_text: true, votable: true },
    });
    const { body: wire } = await tools.call("send_wire", { to: "#polls", text: "yes?" });
    const id = wire.id as string;
    expect((await tools.call("vote_wire", { id })).body).toEqual({ voted: true, vote_count: 1 });
    expect((await tools.call("vote_wire", { id, vote: true })).body).toEqual({ voted: true, vote_count: 1 });
    expect((await tools.call("vote_wire", { id, vote: false })).body).toEqual({
      voted: false,
      vote_count: 0,
    });
    const wrong = await tools.call("vote_wire", { id, vote: "no" });
    expect(wrong).toMatchObject({
      isError: true,
      body: { code: "VALIDATION_ERROR", errors: [{ instancePath: "/vote" }] },
    });
    const unnamed = await tools.call("vote_wire", { vote: false });
    expect(unnamed).toMatchObject({ isError: true, body: { code: "VALIDATION_ERROR" } });
  });

  // [D8-mcp-roots-only]
  it("roots_only may be a boolean or a string", async () => {
    await alice.post("/spaces", { slug: "roots", visibility: "public" });
    const { body: root } = await tools.call("send_wire", { to: "#roots", text: "root" });
    await tools.call("send_wire", { to: "#roots", text: "reply", reply_to: root.id });
    const count = async (roots_only: unknown) =>
      (await tools.call("read_space", { slug: "roots", roots_only })).body.wires?.length;
    expect([await count(true), await count("true"), await count(false), await count("false")]).toEqual([
      1, 1, 2, 2,
    ]);
    const wrong = await tools.call("read_space", { slug: "roots", roots_only: "yes" });
    expect(wrong).toMatchObject({ isError: true, body: { code: "VALIDATION_ERROR" } });
  });

  // [D8-mcp-answer-knock]
  it("answer_knock lists knocks without an id, and decides one with an id", async () => {
    const { body: knock } = await bob.post("/knocks", { handle: "@alice", intro: "Bob." });
    const pending = await tools.call("answer_knock");
    expect(pending.body.knocks.map(({ id }: Body) => id)).toEqual([knock.id]);
    expect(pending.texts).toHaveLength(2);
    const answered = await tools.call("answer_knock", { id: knock.id, status: "accepted" });
    expect(answered.body).toMatchObject({ id: knock.id, status: "accepted" });
    expect((await tools.call("answer_knock")).body).toEqual({ knocks: [], next_cursor: null });
    expect((await tools.call("answer_knock", { status: "accepted" })).body.knocks).toHaveLength(1);
    const open = await tools.call("answer_knock", { id: knock.id, status: "pending" });
    expect(open).toMatchObject({ isError: true, body: { code: "VALIDATION_ERROR" } });
    const silent = await tools.call("answer_knock", { id: knock.id });
    expect(silent).toMatchObject({ isError: true, body: { code: "VALIDATION_ERROR" } });
  });

  // [D14-mcp-sent]
  it("get_wire lists the wires that the handle sent without an id", async () => {
    const texts = (page: Body) => page.wires.map(({ text_body }: Body) => text_body);
    await alice.post("/wires", { to: "@bob", text: "first" });
    const { body: last } = await alice.post("/wires", { to: "@bob", text: "l".repeat(300) });
    const page = await tools.call("get_wire", { to: "@bob", limit: 1, brief: true });
    expect(page.body.wires).toMatchObject([{ id: last.id, cut: true }]);
    const next = await tools.call("get_wire", { to: "@bob", limit: 1, cursor: page.body.next_cursor });
    expect(texts(next.body)).toEqual(["first"]);
    expect((await tools.call("get_wire")).body).toEqual((await alice.get("/sent")).body);
    const both = await tools.call("get_wire", { id: last.id, to: "@bob" });
    expect(both).toMatchObject({ isError: true, body: { code: "VALIDATION_ERROR" } });
  });

  // [D8-mcp-update-profile]
  it("update_profile returns the profile without arguments, and changes it with arguments", async () => {
    await tools.call("update_profile", { bio: "Weather." });
    const { body } = await tools.call("update_profile");
    expect(body).toEqual((await alice.get("/profile")).body);
    expect(body).toMatchObject({ slug: "alice", bio: "Weather." });
  });

  // [D8-mcp-structured-content]
  it("search returns the list of REST in an object", async () => {
    const { body } = await tools.call("search", { type: "spaces" });
    expect(body.results).toEqual((await alice.get("/search?type=spaces")).body);
  });

  // [D4-mcp-space-target]
  it("to may be a space", async () => {
    await alice.post("/spaces", { slug: "posts", visibility: "public" });
    const { body } = await tools.call("send_wire", { to: "#posts", text: "here" });
    expect((await alice.get(`/wires/${body.id}`)).body).toMatchObject({
      recipient_id: null,
      text_body: "here",
    });
  });
});

describe("an argument that a host fills in although it has no value", () => {
  const RULE = { allow_text: true, accepted_schemas: ["@alice/filled"] };

  beforeAll(async () => {
    await alice.post("/schemas", { subject: "@alice/filled", json_schema: {} });
  });

  // [D8-mcp-absent]
  it.each([
    ["null", null, null],
    ["empty", "", []],
  ])("counts as absent if it is %s, so that no field is cleared", async (_, none, noItems) => {
    const set = { display_name: "Alice", bio: "Weather.", tags: ["weather"], inbox_rule: RULE };
    await alice.put("/profile", set);
    const rule = { allow_text: none, accepted_schemas: noItems, inline_schema: none, votable: none };
    const empty = { display_name: none, bio: none, tags: noItems, contact_policy: none, clear: noItems };
    const { body } = await tools.call("update_profile", { ...empty, inbox_rule: rule, discoverable: none });
    expect(body).toMatchObject(set);
    await tools.call("update_profile", { ...empty, inbox_rule: { ...rule, allow_text: false } });
    expect((await alice.get("/profile")).body.inbox_rule).toEqual({
      allow_text: false,
      accepted_schemas: [],
      votable: false,
    });
    await alice.put("/profile", { inbox_rule: { allow_text: true } });
  });

  // [D8-mcp-absent]
  it("is rejected as on REST if it is required, and inside of a JSON document it is data", async () => {
    for (const handle of [null, ""])
      expect((await tools.call("send_knock", { handle, intro: "hi" })).body.errors).toMatchObject([
        { instancePath: "/handle" },
      ]);
    const json_schema = { enum: ["", null], default: "" };
    const { body } = await tools.call("register_schema", { subject: "@alice/empty", json_schema });
    expect((await alice.get(`/schemas/${encodeURIComponent(body.ref)}`)).body.json_schema).toEqual(
      json_schema,
    );
  });

  // [D8-mcp-absent]
  it("may have its default value, also where the tool then ignores it", async () => {
    const { body: wire } = await alice.post("/wires", { to: "@bob", text: "one" });
    const filled = { to: "", cursor: "", limit: 50, brief: false };
    const { body } = await tools.call("get_wire", { id: wire.id, ...filled });
    expect(body.id).toBe(wire.id);
    expect((await tools.call("get_wire", { id: "", ...filled })).body.wires[0].id).toBe(wire.id);
    const other = await tools.call("get_wire", { id: wire.id, ...filled, limit: 1 });
    expect(other.body.errors).toMatchObject([{ keyword: "additionalProperties" }]);
    await alice.post("/spaces", { slug: "filled", visibility: "public" });
    const feed = { slug: "filled", cursor: "", limit: 50, wait: 0, order: "newest" };
    expect((await tools.call("read_space", feed)).body).toEqual({ wires: [], next_cursor: null });
    const followed = await tools.call("read_space", { ...feed, order: "oldest" });
    expect(followed.body.next_cursor).toEqual(expect.any(String));
    const waiting = await tools.call("read_space", { ...feed, wait: 1 });
    expect(waiting.body.errors).toMatchObject([{ instancePath: "/wait" }]);
  });
});

describe("the argument clear", () => {
  // [D8-mcp-clear]
  it("empties the fields that it names, and no others", async () => {
    await alice.put("/profile", { display_name: "Alice", bio: "Weather.", tags: ["weather"] });
    const { body } = await tools.call("update_profile", { clear: ["bio", "tags"], display_name: "" });
    expect(body).toMatchObject({ display_name: "Alice", bio: null, tags: [] });
    await alice.post("/spaces", { slug: "cleared", visibility: "public" });
    await alice.put("/spaces/cleared", { description: "A room.", tags: ["a"], retain_days: 7 });
    const space = await tools.call("manage_space", {
      slug: "cleared",
      clear: ["retain_days", "description"],
    });
    expect(space.body).toMatchObject({ description: null, tags: ["a"], retain_days: null });
  });

  // [D8-mcp-clear]
  it.each([
    [{ clear: ["slug"] }, "/clear/0", "must be one of: display_name, bio, tags"],
    [{ clear: ["tags", "bio"], bio: "new" }, "/clear/1", "must not name `bio`, which has a new value"],
    [{ clear: "bio" }, "/clear", "must be array"],
  ])("%j is rejected", async (args, instancePath, message) => {
    const { body } = await tools.call("update_profile", args);
    expect(body.errors).toMatchObject([{ instancePath, message }]);
  });
});

describe("JSON text instead of a number, boolean, array or object", () => {
  // [D8-mcp-json-text]
  it("is taken as what it says", async () => {
    for (let n = 0; n < 3; n++) await alice.post("/wires", { to: "@bob", text: "counted" });
    const page = await tools.call("get_wire", { limit: "2", brief: "true" });
    expect(page.body.wires.map(({ cut }: Body) => cut)).toEqual([false, false]);
    const rule = '{"allow_text":"true","accepted_schemas":"[]"}';
    const args = { tags: '["a","b"]', discoverable: "true", inbox_rule: rule, clear: '["bio"]' };
    const { body } = await tools.call("update_profile", args);
    expect(body).toMatchObject({ tags: ["a", "b"], discoverable: true, bio: null });
    const members = '[{"handle":"@bob","role":"poster"}]';
    await tools.call("create_space", {
      slug: "as-text",
      visibility: "public",
      allow_wire_reply_rules: "false",
    });
    const space = await tools.call("manage_space", { slug: "as-text", members, retain_days: " 7 " });
    expect(space.body).toMatchObject({ retain_days: 7, member_counts: { poster: 1 } });
    // Text stays text where the argument is a string.
    await tools.call("update_profile", { bio: "null", display_name: "7" });
    expect((await alice.get("/profile")).body).toMatchObject({ bio: "null", display_name: "7" });
  });

  // [D8-mcp-json-text]
  it.each([
    [{ limit: "ten" }, "/limit", "type"],
    [{ limit: "10.5" }, "/limit", "type"],
    [{ limit: "1e400" }, "/limit", "type"],
    [{ limit: "101" }, "/limit", "maximum"],
    [{ limit: '"10"' }, "/limit", "type"],
    [{ wait: "[1]" }, "/wait", "type"],
  ])("%j is rejected", async (args, instancePath, keyword) => {
    const { body } = await tools.call("read_inbox", args);
    expect(body.errors).toMatchObject([{ instancePath, keyword }]);
  });
});

describe("JSON text instead of an object", () => {
  const schema = { type: "object", properties: { n: { type: "integer" } } };

  // [D8-mcp-json-text]
  it("is accepted where REST requires an object, because no string is one", async () => {
    const json_schema = JSON.stringify(schema);
    const { body } = await tools.call("register_schema", { subject: "@alice/text", json_schema });
    expect((await alice.get(`/schemas/${encodeURIComponent(body.ref)}`)).body.json_schema).toEqual(schema);
    const root_rule = { allow_text: true, inline_schema: ` ${JSON.stringify(schema)}` };
    const space = await tools.call("create_space", { slug: "from-text", visibility: "public", root_rule });
    expect(space.body.root_rule.inline_schema).toEqual(schema);
    const changed = { allow_text: false, inline_schema: "{}" };
    await tools.call("manage_space", { slug: "from-text", root_rule: changed, reply_rule: changed });
    await tools.call("update_profile", { inbox_rule: changed });
    const { body: profile } = await tools.call("update_profile");
    expect(profile.inbox_rule).toMatchObject({ allow_text: false, inline_schema: {} });
    await tools.call("update_profile", { inbox_rule: { allow_text: true } });
  });

  // [D8-mcp-json-text] [D2-mcp-shared-idempotency]
  it("counts as the same call with an idempotency key", async () => {
    const call = { subject: "@alice/same", idempotency_key: "same" };
    const first = await tools.call("register_schema", { ...call, json_schema: schema });
    const again = await tools.call("register_schema", { ...call, json_schema: JSON.stringify(schema) });
    expect(again.body).toEqual(first.body);
  });

  // [D8-mcp-json-text]
  it.each([
    ["{", "json", "", "the text is not valid JSON"],
    ['{"a":1,"a":2}', "json", "/a", "occurs twice"],
    ['{"const":1e400}', "json", "/const", "1e400"],
    [`{"const":${nested(63)}}`, "json", "/const", "nested deeper"],
    ["[]", "type", "", "must be an object"],
    ["nonsense", "type", "", "must be an object"],
  ])("that is %s is rejected with the reason", async (json_schema, keyword, at, reason) => {
    const result = await tools.call("register_schema", { subject: "@alice/bad", json_schema });
    const { errors } = result.body;
    expect(result).toMatchObject({ isError: true, body: { code: "VALIDATION_ERROR" } });
    expect(errors[0]).toMatchObject({ keyword, message: expect.stringContaining(reason) });
    expect(errors[0].instancePath).toMatch(new RegExp(`^/json_schema${at}`));
  });

  // [D8-mcp-json-text]
  it("in payload_json is the payload, whatever its type; a string in payload stays a string", async () => {
    const payloadOf = async (args: Body) => {
      const { body } = await tools.call("send_wire", { to: "@bob", ...args });
      return (await tools.call("get_wire", { id: body.id })).body.payload;
    };
    for (const payload of [{ a: [1, null] }, [], "text", '{"a":1}', 0, false]) {
      expect(await payloadOf({ payload })).toEqual(payload);
      expect(await payloadOf({ payload_json: JSON.stringify(payload) })).toEqual(payload);
    }
    for (const empty of [null, ""]) {
      expect(await payloadOf({ payload: empty, payload_json: "1" })).toBe(1);
      expect(await payloadOf({ payload: 1, payload_json: empty })).toBe(1);
      expect(await payloadOf({ text: "hi", payload: empty, payload_json: empty })).toBeNull();
    }
  });

  // [D8-mcp-json-text]
  it.each([
    [{ payload_json: "1", payload: 1 }, "not"],
    [{ payload_json: { a: 1 } }, "type"],
    [{ payload_json: "a" }, "json"],
  ])("in payload_json is rejected: %j", async (args, keyword) => {
    const { isError, body } = await tools.call("send_wire", { to: "@bob", text: "hi", ...args });
    expect(isError).toBe(true);
    expect(body.errors[0]).toMatchObject({ instancePath: "/payload_json", keyword });
  });
});

describe("the argument idempotency_key", () => {
  // [D2-mcp-shared-idempotency]
  it("shares its keys with the REST header, in both directions", async () => {
    const wire = { to: "@bob", text: "once" };
    const sent = await tools.call("send_wire", { ...wire, idempotency_key: "k1" });
    const again = await alice.post("/wires", wire, { "idempotency-key": "k1" });
    expect(again.body).toEqual(sent.body);
    const space = { slug: "once", visibility: "public" };
    const { body } = await alice.post("/spaces", space, { "idempotency-key": "k1" });
    expect((await tools.call("create_space", { ...space, idempotency_key: "k1" })).body).toEqual(body);
    const schema = { subject: "@alice/once", json_schema: {} };
    const first = await tools.call("register_schema", { ...schema, idempotency_key: "k1" });
    expect((await tools.call("register_schema", { ...schema, idempotency_key: "k1" })).body).toEqual(
      first.body,
    );
  });

  // [D2-mcp-shared-idempotency]
  it("returns the 400 response of REST with other arguments, or if it is malformed", async () => {
    const wire = { to: "@bob", text: "another" };
    for (const key of ["k1", "with a space"]) {
      const reply = await alice.post("/wires", wire, { "idempotency-key": key });
      const result = await tools.call("send_wire", { ...wire, idempotency_key: key });
      expect(reply.status).toBe(400);
      expect(result).toMatchObject({ isError: true, body: reply.body });
    }
    const number = await tools.call("send_wire", { ...wire, idempotency_key: 1 });
    expect(number.body.errors).toEqual([
      { instancePath: "/idempotency_key", keyword: "type", message: "must be string" },
    ]);
    const elsewhere = await tools.call("get_wire", { id: "x", idempotency_key: "k" });
    expect(elsewhere.body.errors[0]).toMatchObject({ keyword: "additionalProperties" });
  });
});

describe("rate limits", () => {
  // [D8-mcp-same-limits] [D8-mcp-error-result]
  it("are shared by REST and MCP, and return the same envelope", async () => {
    const carol = await daemon.createAgent("carol");
    await daemon.createAgent("dave");
    expect((await carol.post("/knocks", { handle: "@dave", intro: "hi" })).status).toBe(201);
    const reply = await carol.post("/knocks", { handle: "@alice", intro: "hi" });
    const result = await jsonRpcToolCaller(daemon, carol).call("send_knock", {
      handle: "@alice",
      intro: "hi",
    });
    expect(reply.status).toBe(429);
    expect(result.isError).toBe(true);
    expect(result.body).toMatchObject({ code: "RATE_LIMITED", message: reply.body.message });
    expect(Math.abs(result.body.retry_after - reply.body.retry_after)).toBeLessThanOrEqual(1);
  });
});

describe("a long-poll by tool call", () => {
  // [D8-mcp-stateless]
  it("returns as soon as an item arrives, and at once when the daemon stops", async () => {
    const erin = await daemon.createAgent("erin");
    const inbox = jsonRpcToolCaller(daemon, erin);
    const waiting = inbox.call("read_inbox", { wait: 30 });
    await alice.post("/wires", { to: "@erin", text: "wake up" });
    const { body } = await waiting;
    expect(body.wires).toHaveLength(1);
    const held = await hold(daemon, () => inbox.call("read_inbox", { cursor: body.next_cursor, wait: 60 }));
    const restarted = daemon.restart();
    expect((await held()).body).toMatchObject({ wires: [], next_cursor: body.next_cursor });
    await restarted;
    expect((await inbox.call("read_inbox")).isError).toBe(false);
  });
});
