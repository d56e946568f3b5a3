/** `wireroom call`: operations by their names. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/contract/index.js";
import { CliWorld } from "../harness/cli-world.js";
import { wireroom } from "../harness/command.js";
import type { Body } from "../harness/daemon.js";
import { runInProcess } from "../harness/in-process.js";
import { Terminal } from "../harness/terminal.js";

let world: CliWorld;

beforeAll(async () => {
  world = await CliWorld.start();
  await world.handle("alice");
});

afterAll(() => world.stop());

const call = async (...args: string[]): Promise<Body> => (await world.json("alice", "call", ...args)).body;

describe("call", () => {
  it("carries out operations with the key [C-call-any]", async () => {
    const sent = await call("wires.send", "--to", "@alice", "--text", "note");
    expect(await call("wires.get", "--id", sent.uri)).toMatchObject({ id: sent.id, text_body: "note" });
    const plain = await world.as("alice", "call", "profile.get");
    expect(JSON.parse(plain.stdout)).toEqual((await world.agent("alice").get("/profile")).body);
  });

  it("carries out a human's operations with the ID token [C-call-any]", async () => {
    const token = await world.daemon.issuer.token({ claims: { sub: "alice", email: "alice@example.com" } });
    const env = { ...world.env("alice"), WIREROOM_ID_TOKEN: token };
    const { code, stdout } = await wireroom(["call", "handles.list", "--json"], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).handles).toMatchObject([{ slug: "alice" }]);
  });

  it("reads values by their types [C-call-values]", async () => {
    const file = await world.file("rule.json", '{"allow_text": true, "votable": true}');
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

  it("takes text as it is given, and JSON where the field is JSON [C-call-values]", async () => {
    const numeric = await call("wires.send", "--to", "@alice", "--text", "42", "--payload", "[1, null]");
    expect(await call("wires.get", "--id", numeric.id)).toMatchObject({
      text_body: "42",
      payload: [1, null],
    });
    const piped = await world.piped(
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

  it("takes the whole input at once, and single fields over it [C-call-values]", async () => {
    await world.agent("alice").post("/spaces", { slug: "halls", visibility: "public", tags: ["x"] });
    const input = '{"tags": [], "slug": "other"}';
    const updated = await call("spaces.update", "--slug", "halls", "--input", input);
    expect(updated).toMatchObject({ slug: "halls", tags: [] });
  });

  it.each([
    [["wires.send", "--to", "@alice", "--payload", "{"], /--payload is not JSON/],
    [["inbox.read", "--limit", "many"], /--limit must be a number/],
    [["profile.update", "--discoverable", "perhaps"], /must be true or false/],
    [["wires.send", "--text", "hi"], /wires\.send needs --to/],
    [["wires.send", "--to"], /--to needs a value/],
    [["wires.send", "--to", "a", "--to", "b"], /given twice/],
    [["wires.send", "hello"], /belongs to no field/],
    [["--to", "@alice"], /the operation comes first/],
  ])("refuses %j before anything is sent [C-call-values]", async (args, message) => {
    const { code, stdout, stderr } = await world.as("alice", "call", ...args);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  it("suggests the nearest operation and field [C-call-nearest]", async () => {
    const operation = await world.as("alice", "call", "wire.sned");
    const field = await world.as("alice", "call", "wires.send", "--txet", "hi");
    const other = await world.as("alice", "call", "limits.get", "--slug", "x");
    expect(operation).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean wires.send?") });
    expect(field).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean --text?") });
    expect(other.stderr).toContain("It takes none.");
  });

  it("lists every operation, and explains each [C-call-help]", async () => {
    const bare = await world.as("alice", "call");
    const listed = await world.as("alice", "call", "--list");
    const json = await world.json("alice", "call", "--list");
    const help = await world.as("alice", "call", "spaces.feed", "--help");
    const own = await world.as("alice", "call", "--help");
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
    expect(help.stdout).toContain("--order  (newest | top)");
    expect(help.stdout).toContain("--limit  (integer)");
    const narrow = Terminal.wireroom(["call", "wires.send", "--help"], {
      env: world.env("alice"),
      columns: 60,
      rows: 50,
    });
    const shown = await narrow.waitFor("gives all fields at once.");
    expect(shown).toMatch(/^ {6}Recipient: .*`#slug` for\n {6}a space\.$/m);
    expect(own.stdout).toContain("Examples:");
  });

  it("carries out what only a newer daemon knows, as that describes it [C-call-newer]", async () => {
    const seen: string[] = [];
    const newer = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      const body = request.url === "/v1/openapi.json" ? NEWER : { found: true };
      response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => newer.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(newer.address() as AddressInfo).port}/v1`;
    const env = { ...world.env("alice"), WIREROOM_URL: url, WIREROOM_API_KEY: "wr_x" };
    const called = await runInProcess(["call", "rooms.find", "--id", "a/b", "--deep", "--json"], { env });
    const wrong = await runInProcess(["call", "rooms.fidn"], { env });
    newer.close();
    expect(called).toMatchObject({ code: 0, stdout: '{"found":true}\n' });
    expect(seen).toContain("GET /v1/rooms/a%2Fb?deep=true Bearer wr_x");
    expect(wrong.stderr).toContain("Did you mean rooms.find?");
  });
});

const NEWER = {
  paths: {
    "/rooms/{id}": {
      get: {
        operationId: "rooms.find",
        summary: "Find a room",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" } },
          { name: "deep", in: "query", required: false, schema: { $ref: "#/components/schemas/Flag" } },
        ],
      },
    },
  },
  components: { schemas: { Flag: { type: "boolean" } } },
};
