/** Tests of `wireroom call`, which runs any operation by its name. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/contract/index.js";
import { CliFixture } from "../harness/cli-fixture.js";
import { runProcess } from "../harness/command.js";
import type { Body } from "../harness/daemon.js";
import { Terminal } from "../harness/terminal.js";

let cli: CliFixture;

beforeAll(async () => {
  cli = await CliFixture.start();
  await cli.createHandle("alice");
});

afterAll(() => cli.stop());

const call = async (...args: string[]): Promise<Body> => (await cli.runJson("alice", "call", ...args)).body;

describe("wireroom call", () => {
  // [C-call-any]
  it("runs operations with the API key", async () => {
    const sent = await call("wires.send", "--to", "@alice", "--text", "note");
    expect(await call("wires.get", "--id", sent.uri)).toMatchObject({ id: sent.id, text_body: "note" });
    const plain = await cli.runAs("alice", "call", "profile.get");
    expect(JSON.parse(plain.stdout)).toEqual((await cli.agent("alice").get("/profile")).body);
  });

  // [C-call-any]
  it("runs dashboard operations with the ID token", async () => {
    const token = await cli.daemon.issuer.token({ claims: { sub: "alice", email: "alice@example.com" } });
    const env = { ...cli.env("alice"), WIREROOM_ID_TOKEN: token };
    const { code, stdout } = await runProcess(["call", "handles.list", "--json"], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).handles).toMatchObject([{ slug: "alice" }]);
  });

  // [C-call-values]
  it("parses values by the type of their field", async () => {
    const file = await cli.writeFile("rule.json", '{"allow_text": true, "votable": true}');
    const created = await call(
      ...["spaces.create", "--slug", "rooms", "--visibility=public", "--root-rule", `@${file}`],
      ...["--tags", "a", "--tags", "b", "--allow_wire_reply_rules"],
    );
    expect(created).toMatchObject({
      tags: ["a", "b"],
      allow_wire_reply_rules: true,
      root_rule: { votable: true },
    });
  });

  // [C-call-values]
  it("passes text unchanged, and parses JSON for JSON fields", async () => {
    const numeric = await call("wires.send", "--to", "@alice", "--text", "42", "--payload", "[1, null]");
    expect(await call("wires.get", "--id", numeric.id)).toMatchObject({
      text_body: "42",
      payload: [1, null],
    });
    const piped = await cli.runWithInput(
      "alice",
      '{"q": 7}',
      "call",
      "wires.send",
      "--to",
      "alice",
      "--payload",
      "-",
    );
    expect(piped.code).toBe(0);
  });

  // [C-call-values]
  it("accepts the complete input as JSON, with single fields that override it", async () => {
    await cli.agent("alice").post("/spaces", { slug: "halls", visibility: "public", tags: ["x"] });
    const input = '{"tags": [], "slug": "other"}';
    const updated = await call("spaces.update", "--slug", "halls", "--input", input);
    expect(updated).toMatchObject({ slug: "halls", tags: [] });
  });

  // [C-call-values]
  it.each([
    [["wires.send", "--to", "@alice", "--payload", "{"], /--payload is not valid JSON/],
    [["inbox.read", "--limit", "many"], /--limit must be a number/],
    [["profile.update", "--discoverable", "perhaps"], /must be true or false/],
    [["wires.send", "--text", "hi"], /wires\.send requires --to/],
    [["wires.send", "--to"], /--to requires a value/],
    [["wires.send", "--to", "a", "--to", "b"], /passed twice/],
    [["wires.send", "hello"], /unexpected "hello"/],
    [["--to", "@alice"], /expected the name of an operation/],
  ])("rejects %j before it sends a request", async (args, message) => {
    const { code, stdout, stderr } = await cli.runAs("alice", "call", ...args);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  // [C-call-nearest]
  it("suggests the most similar operation and field", async () => {
    const operation = await cli.runAs("alice", "call", "wire.sned");
    const field = await cli.runAs("alice", "call", "wires.send", "--txet", "hi");
    const other = await cli.runAs("alice", "call", "limits.get", "--slug", "x");
    expect(operation).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean wires.send?") });
    expect(field).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean --text?") });
    expect(other.stderr).toContain("It has no fields.");
  });

  // [C-call-help]
  it("lists every operation, and explains each one", async () => {
    const bare = await cli.runAs("alice", "call");
    const listed = await cli.runAs("alice", "call", "--list");
    const json = await cli.runJson("alice", "call", "--list");
    const help = await cli.runAs("alice", "call", "spaces.feed", "--help");
    const own = await cli.runAs("alice", "call", "--help");
    expect(bare.stdout).toBe(listed.stdout);
    const ids = operations.map(({ id }) => id);
    expect(
      listed.stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split("\t")[0]),
    ).toEqual(ids);
    expect(json.body.map(({ id }: Body) => id)).toEqual(ids);
    expect(help.stdout).toContain("Usage: wireroom call spaces.feed --slug … [--cursor …]");
    expect(help.stdout).toContain("--order  (newest | oldest | top)");
    expect(help.stdout).toContain("--limit  (integer)");
    const narrow = Terminal.wireroom(["call", "wires.send", "--help"], {
      env: cli.env("alice"),
      columns: 60,
      rows: 50,
    });
    const shown = await narrow.waitFor("--input JSON|@FILE|-.");
    expect(shown).toMatch(/^ {6}The recipient: .*`#slug`\n {6}for a space\.$/m);
    expect(own.stdout).toContain("Examples:");
    expect(own.stdout).toContain("list the operations that this version knows");
  });
});
