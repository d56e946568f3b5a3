/** What goes wrong for a handle: exit codes, envelopes, explanations and advice. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliWorld } from "../harness/cli-world.js";
import { wireroom } from "../harness/command.js";
import { runInProcess } from "../harness/in-process.js";
import { Terminal } from "../harness/terminal.js";

const SCHEMA = {
  type: "object",
  properties: { price: { type: "number" }, currency: { enum: ["EUR", "USD"] } },
  required: ["price"],
  additionalProperties: false,
};

let world: CliWorld;

beforeAll(async () => {
  world = await CliWorld.start({
    args: ["--limit", "knocks_per_hour=1", "--limit", "wires_per_minute=none"],
  });
  await Promise.all(["alice", "bob"].map((slug) => world.handle(slug)));
  const inbox_rule = { allow_text: false, accepted_schemas: ["@alice/quote"] };
  const alice = world.agent("alice");
  await alice.post("/schemas", { subject: "@alice/quote", json_schema: SCHEMA });
  await world.handle("shop", { inbox_rule });
  await world.handle("closed", { contact_policy: "contacts_only" });
  await alice.post("/spaces", { slug: "ops", visibility: "private" });
});

afterAll(() => world.stop());

describe("a command that fails", () => {
  it.each<[code: number, why: string, args: (wire: string) => string[]]>([
    [0, "for what succeeds", (wire) => ["wire", "get", wire]],
    [2, "for a command line that makes no sense", () => ["send", "@bob"]],
    [2, "for a value that the service refuses", (wire) => ["thread", wire, "--cursor", "nonsense"]],
    [4, "for what is not allowed", () => ["send", "@closed", "hi"]],
    [5, "for what is not there", () => ["space", "show", "nowhere"]],
    [6, "for a payload that a schema refuses", () => ["send", "@shop", "--payload", "{}"]],
    [7, "for a rate limit", () => ["knock", "send", "@shop", "again"]],
    [10, "for a question that nobody can be asked", (wire) => ["wire", "delete", wire]],
  ])("ends with %i %s [C-errors-exit]", async (code, _why, args) => {
    const bob = world.agent("bob");
    const { body } = await bob.post("/wires", { to: "bob", text: "mine" });
    await bob.post("/knocks", { handle: "alice", intro: "the one that the limit allows" });
    const ended = await world.spawn("bob", args(body.id));
    expect(ended).toMatchObject({ code, stderr: code === 0 ? "" : expect.stringMatching(/^error /) });
    if (code !== 0) expect(ended.stdout).toBe("");
  });

  it("ends with 3 for a key that is not valid [C-errors-exit]", async () => {
    const env = { ...world.env("alice"), WIREROOM_API_KEY: "wr_unknown" };
    expect((await wireroom(["inbox"], { env })).code).toBe(3);
  });

  it("prints the envelope with --json [C-errors-envelope]", async () => {
    const payload = { price: "cheap" };
    const { code, stderr } = await world.as(
      "bob",
      ...["send", "@shop", "--payload", JSON.stringify(payload), "--json"],
    );
    const { body } = await world.agent("bob").post("/wires", { to: "shop", payload });
    expect(code).toBe(6);
    expect(JSON.parse(stderr)).toEqual(body);
  });

  it("explains what a schema refuses, place by place [C-errors-explained]", async () => {
    const payload = '{"currency": "GBP", "colour": 1}';
    const { stderr } = await world.as("bob", "send", "@shop", "--payload", payload);
    expect(stderr).toContain("the recipient's inbox_rule");
    expect(stderr).toContain("@alice/quote@1");
    expect(stderr).toMatch(/\(the whole\) .*price/);
    expect(stderr).toMatch(/\/currency .*EUR/);
    expect(stderr).toContain("wireroom schema check @alice/quote@1 PAYLOAD");
  });

  it("breaks what was wrong between words on a terminal, and says a lone reason once [C-errors-lines]", async () => {
    const terminal = Terminal.wireroom(["send", "@shop", "only payloads"], {
      env: { ...world.env("bob"), FORCE_COLOR: "1" },
      columns: 60,
    });
    const shown = await terminal.waitFor("What to do:");
    expect(shown).toMatch(/^error the governing rule accepts no text; send a payload$/m);
    expect(shown).toMatch(/^that is valid under one of its schemas \(POSTING_DENIED\)$/m);
    const empty = await world.as("bob", "send", "@bob", "");
    expect(empty.stderr).toBe("error /text: must NOT have fewer than 1 characters (VALIDATION_ERROR)\n");
  });

  it("names in its advice what it was about [C-errors-next]", async () => {
    const closed = await world.as("bob", "send", "@closed", "hi");
    expect(closed.stderr).toContain("wireroom knock send @closed ");
    const missing = await world.as("bob", "send", "@nobody-here", "hi");
    expect(missing.stderr).toContain("wireroom search handles");
    const denied = await world.as("bob", "send", "shop", "only payloads are taken");
    expect(denied).toMatchObject({ code: 4, stderr: expect.stringContaining("POSTING_DENIED") });
  });

  it("says within seconds that nothing listens [C-errors-soon]", async () => {
    const env = { ...world.env("alice"), WIREROOM_URL: "http://127.0.0.1:1/v1" };
    const { code, stderr } = await wireroom(["inbox"], { env });
    expect(code).toBe(8);
    expect(stderr).toContain("wireroom up");
  });
});

describe("schema check", () => {
  const wrong = '{"price": "x", "currency": "GBP", "colour": 1}';
  /** As a process: it starts a worker. */
  const check = (...args: string[]) => world.spawn("bob", ["schema", "check", ...args]);

  it("tries a payload against a registered schema, and sends nothing [C-schema-check]", async () => {
    const valid = await check("@alice/quote", '{"price": 1}', "--json");
    expect(valid.code).toBe(0);
    expect(JSON.parse(valid.stdout)).toEqual({ valid: true, schema_ref: "@alice/quote@1" });
    const invalid = await check("@alice/quote", wrong);
    expect(invalid.code).toBe(6);
    expect(invalid.stderr).toContain("/price must be number");
    expect(invalid.stderr).toContain('/currency must be one of "EUR", "USD"');
    expect(invalid.stderr).toContain('must not have the property "colour"');
  });

  it("takes a schema from a file as well [C-schema-check]", async () => {
    const file = await world.file("schema.json", JSON.stringify(SCHEMA));
    const { code, stderr } = await check(file, wrong, "--json");
    expect(code).toBe(6);
    expect(JSON.parse(stderr)).toMatchObject({ code: "SCHEMA_VALIDATION_FAILED" });
    expect(JSON.parse(stderr).errors).toHaveLength(3);
    const piped = await world.spawn("bob", ["schema", "check", file, "-"], { input: '{"price": 2}' });
    expect(piped).toMatchObject({ code: 0, stdout: "valid\n" });
    const broken = await world.file("broken.json", '{"type": "nothing"}');
    expect((await check(broken, "{}")).code).toBe(2);
  });
});

/** A service that answers each request with the next of these. */
async function answering(
  ...answers: { status: number; body: object }[]
): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => {
    const { status, body } = answers.length > 1 ? answers.shift()! : answers[0]!;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

describe("send", () => {
  const limited = { status: 429, body: { code: "RATE_LIMITED", message: "slow down", retry_after: 1 } };
  const sent = { id: "w1", uri: "http://127.0.0.1/v1/wires/w1", thread_id: "w1" };

  it("does not wait for a rate limit, unless it is told to [C-send-retry]", async () => {
    const { server, url } = await answering(limited, limited, { status: 201, body: sent });
    const env = { ...world.env("alice"), WIREROOM_URL: url };
    const once = await runInProcess(["send", "@bob", "hi"], { env });
    const patient = await runInProcess(["send", "@bob", "hi", "--retry"], { env });
    server.close();
    expect(once).toMatchObject({ code: 7, stdout: "", stderr: expect.stringContaining("--retry") });
    expect(patient).toMatchObject({ code: 0, stdout: "w1\n" });
    expect(patient.stderr).toContain("trying again in 1 s");
  });

  it("says that the owner must approve a wire that is held [C-send-held]", async () => {
    const held = { ...sent, status: "held" };
    const { server, url } = await answering({ status: 202, body: held });
    const env = { ...world.env("alice"), WIREROOM_URL: url };
    const plain = await runInProcess(["send", "@bob", "hi"], { env });
    const json = await runInProcess(["send", "@bob", "hi", "--json"], { env });
    server.close();
    expect(plain).toMatchObject({ code: 0, stdout: "w1\n", stderr: expect.stringContaining("must approve") });
    expect(JSON.parse(json.stdout)).toEqual(held);
  });
});
