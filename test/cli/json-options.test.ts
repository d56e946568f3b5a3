/** The options `--json` with a list of fields, and `--jq`. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT } from "../../cli/exit-codes.js";
import { CliFixture } from "../harness/cli-fixture.js";
import { type Body, NO_LIMITS } from "../harness/daemon.js";
import { runInProcess } from "../harness/in-process.js";

let cli: CliFixture;
let sent: Body;

beforeAll(async () => {
  cli = await CliFixture.start({ args: NO_LIMITS, isHosted: true });
  await cli.createHandle("alice");
  await cli.createHandle("bob");
  sent = (await cli.runJson("alice", "send", "@bob", "two\nlines", "--payload", '{"n": 1}')).body;
  await cli.runAs("alice", "knock", "send", "@bob", "hello");
});

afterAll(() => cli.stop());

const run = (...args: string[]) => cli.runAs("bob", ...args);

/** Runs a command that succeeds. Returns its standard output. */
async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stderr]).toEqual([EXIT.ok, ""]);
  return stdout;
}

/** Runs a command that is used wrongly. Returns its error envelope. */
async function refused(...args: string[]): Promise<Body> {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([EXIT.usage, ""]);
  expect(stderr.trimEnd()).not.toContain("\n");
  return JSON.parse(stderr);
}

// [C-json-fields]
describe("--json with a list of fields prints", () => {
  it("only these fields of an object", async () => {
    const wire = { id: sent.id, text_body: "two\nlines" };
    for (const args of [
      ["wire", "show", sent.id, "--json", "id,text_body"],
      ["wire", "show", "--json", "id,text_body", sent.id],
      ["--json=id,text_body", "wire", "show", sent.id],
      ["wire", "get", sent.id, "--json=id, text_body"],
      ["call", "wires.get", "--id", sent.id, "--json=id,text_body"],
    ])
      expect(JSON.parse(await printed(...args))).toEqual(wire);
    expect(JSON.parse(await printed("wire", "show", sent.id, "--json", "payload"))).toEqual({
      payload: { n: 1 },
    });
  });

  it("only these fields of each item of a page, which keeps its cursor", async () => {
    const page = JSON.parse(await printed("inbox", "--json", "id,sender,intro"));
    expect(page).toEqual({
      wires: [{ id: sent.id, sender: "alice" }],
      knocks: [{ id: expect.any(String), intro: "hello" }],
      tombstone_notices: [],
      approval_notices: [],
      space_notices: [],
      next_cursor: expect.any(String),
    });
  });

  it("only these fields of each line of a command that follows", async () => {
    const args = ["inbox", "--follow", "--ack", "--json=id"];
    const { code, stdout } = await cli.runWithInput("bob", "", ...args);
    expect([code, JSON.parse(stdout)]).toEqual([EXIT.ok, { kind: "wire", wire: { id: sent.id } }]);
    const refusal = await cli.runWithInput("bob", "", ...args.slice(0, -1), "--json=text");
    expect([refusal.code, refusal.stdout]).toEqual([EXIT.usage, ""]);
  });

  it("only these fields of each line, also if the lines have different ones", async () => {
    const dave = await cli.createHandle("dave");
    const removed = (await cli.runJson("alice", "send", "@dave", "removed")).body;
    await dave.get("/inbox");
    await cli.runAs("alice", "wire", "delete", removed.id, "--yes");
    const { body } = await cli.runJson("alice", "send", "@dave", "hello");
    const knock = (await cli.runJson("alice", "knock", "send", "@dave", "it is me")).body;
    const args = ["inbox", "--follow", "--ack", "--json=id,text_body,wire_id,intro"];
    const { code, stdout, stderr } = await cli.runWithInput("dave", "\n\n\n", ...args);
    expect([code, stderr]).toEqual([EXIT.ok, ""]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { kind: "wire", wire: { id: removed.id, text_body: null } },
      { kind: "tombstone_notice", tombstone_notice: { wire_id: removed.id } },
      { kind: "wire", wire: { id: body.id, text_body: "hello" } },
      { kind: "knock", knock: { id: knock.id, intro: "it is me" } },
    ]);
  });

  it("only these fields of each line of an export", async () => {
    const token = await cli.daemon.issuer.token({ claims: { sub: "alice", email: "alice@example.com" } });
    const env = { ...cli.env("alice"), WIREROOM_ID_TOKEN: token };
    const exported = (fields: string) =>
      runInProcess(["call", "account.export", `--json=${fields}`], { env });
    const { code, stdout, stderr } = await exported("type,slug,text_body");
    expect([code, stderr]).toEqual([EXIT.ok, ""]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      expect.arrayContaining([
        { type: "account" },
        { type: "handle", slug: "alice" },
        { type: "wire", text_body: "two\nlines" },
      ]),
    );
    expect((await exported("type,nope")).code).toBe(EXIT.usage);
  });

  it("no field that is optional and absent, also in an empty list", async () => {
    const shown = JSON.parse(await printed("wire", "show", sent.id, "--json", "id,vote_count,status"));
    expect(shown).toEqual({ id: sent.id });
    const contacts = JSON.parse(await printed("block", "list", "--json", "handle"));
    expect(contacts).toEqual({ blocks: [], next_cursor: null });
  });

  it("an error that lists the fields, for a field that does not exist", async () => {
    const wire = await refused("wire", "show", sent.id, "--json", "id,text");
    expect(wire.code).toBe("USAGE");
    expect(wire.message).toMatch(/^the result has no field "text"; its fields are .*sender, .*text_body/);
    expect(wire.message).toContain("vote_count");
    const empty = await refused("block", "list", "--json", "id");
    expect(empty.message).toContain('no field "id"; its fields are handle, since');
  });
});

// [C-json-fields]
describe("the word after --json", () => {
  it("stays an argument where the command accepts one", async () => {
    const { body } = await cli.runJson("bob", "send", "alice", "--json", "hello");
    expect((await cli.agent("alice").get(`/wires/${body.id}`)).body.text_body).toBe("hello");
    expect(JSON.parse(await printed("--json", "thread", sent.id)).wires).toHaveLength(1);
    expect(JSON.parse(await printed("wire", "--json", "show", sent.id)).id).toBe(sent.id);
  });

  it("stays an argument after an option whose value may be omitted", async () => {
    for (const wait of [["--wait-for-reply", "0"], ["--wait-for-reply=0"]]) {
      const { code, stdout } = await cli.runAs("bob", "send", "alice", ...wait, "--json", "hello");
      // 11: no reply has come yet.
      expect(code).toBe(11);
      const { body } = await cli.agent("alice").get(`/wires/${JSON.parse(stdout).id}`);
      expect(body.text_body).toBe("hello");
    }
  });

  it("is an error if it may be both", async () => {
    const { message } = await refused("send", "alice", "--json", "id,uri");
    expect(message).toContain("--json=id,uri");
    const { wires } = (await cli.agent("alice").get("/inbox")).body;
    expect(wires.map(({ text_body }: Body) => text_body)).not.toContain("id,uri");
  });
});

// [C-json-jq]
describe("--jq prints", () => {
  it("the results of the expression: text as it is, other values as JSON", async () => {
    expect(await printed("inbox", "--jq", ".wires[0].sender, .knocks[0].intro")).toBe("alice\nhello\n");
    expect(await printed("wire", "show", sent.id, "--jq", ".payload, .payload.n, .space")).toBe(
      '{"n":1}\n1\nnull\n',
    );
    expect(await printed("--jq", ".wires | map(.id)", "thread", sent.id)).toBe(`["${sent.id}"]\n`);
    expect(await printed("wire", "show", sent.id, "--json", "text_body", "--jq", "keys[]")).toBe(
      "text_body\n",
    );
    expect(await printed("inbox", "--jq", '.wires[] | select(.sender == "carol")')).toBe("");
  });

  it("nothing that controls the terminal", async () => {
    const text = "\u001b[31mred\u202e";
    const { body } = await cli.runJson("alice", "send", "@bob", text);
    expect(await printed("wire", "show", body.id, "--jq", ".text_body")).toBe("␛[31mred<U+202E>\n");
    expect(await printed("wire", "show", body.id, "--jq", "{text_body}")).toBe(
      '{"text_body":"\\u001b[31mred\\u202e"}\n',
    );
  });

  it("an error before the command does anything, if the expression is not valid", async () => {
    const before = (await cli.agent("alice").get("/inbox")).body.wires.length;
    const { message } = await refused("send", "alice", "hello", "--jq", ".id |");
    expect(message).toMatch(/^--jq is not a valid expression: syntax error/);
    expect((await cli.agent("alice").get("/inbox")).body.wires).toHaveLength(before);
  });

  it("an error if the expression fails for the result", async () => {
    const { message } = await refused("wire", "show", sent.id, "--jq", ".id.x");
    expect(message).toBe(
      '--jq fails for the result of the command: Cannot index string with string ("x"). The command itself has succeeded.',
    );
  });
});

describe("a usage error with --json or --jq", () => {
  // [C-errors-usage]
  it.each([
    [["stauts", "--json"], "unknown command 'stauts' (Did you mean status?)"],
    [["--json", "key", "isue"], "unknown command 'isue' (Did you mean issue?)"],
    [["wire", "--json"], "wireroom wire needs a command: choose one of show, delete"],
    [["send", "--json"], "wireroom send needs <to>"],
    [["inbox", "--json", "--limit", "x"], "option '--limit <n>' argument 'x' is invalid"],
    [["inbox", "--jq", ".", "--nope"], "unknown option '--nope'"],
    [["inbox", "a", "b", "--json=id"], "wireroom inbox accepts no arguments, but got 2"],
    [["inbox", "--jq"], "the option --jq <expression> needs a value"],
  ])("is JSON on standard error: %j", async (args, message) => {
    const envelope = await refused(...args);
    expect(Object.keys(envelope)).toEqual(["code", "message"]);
    expect(envelope.code).toBe("USAGE");
    expect(envelope.message).toContain(message);
  });

  // [C-errors-usage]
  it("is plain text without them, and a text after -- is no option", async () => {
    for (const args of [["stauts"], ["stauts", "--", "--json"]]) {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([
        EXIT.usage,
        expect.stringMatching(/^error unknown command 'stauts' \(USAGE\)\n/),
      ]);
    }
  });
});
