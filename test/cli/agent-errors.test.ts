/** Errors of the commands for agents: exit codes, error envelopes, explanations and next steps. */
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliFixture } from "../harness/cli-fixture.js";
import { runInProcess } from "../harness/in-process.js";
import { Terminal } from "../harness/terminal.js";

const SCHEMA = {
  type: "object",
  properties: { price: { type: "number" }, currency: { enum: ["EUR", "USD"] } },
  required: ["price"],
  additionalProperties: false,
};

let cli: CliFixture;

beforeAll(async () => {
  cli = await CliFixture.start({
    args: ["knocks_per_hour=1", "reply_hops=1", "wires_per_minute=none"].flatMap((it) => ["--limit", it]),
  });
  await Promise.all(["alice", "bob"].map((slug) => cli.createHandle(slug)));
  const inbox_rule = { allow_text: false, accepted_schemas: ["@alice/quote"] };
  const alice = cli.agent("alice");
  await alice.post("/schemas", { subject: "@alice/quote", json_schema: SCHEMA });
  await cli.createHandle("shop", { inbox_rule });
  await cli.createHandle("closed", { contact_policy: "contacts_only" });
  await alice.post("/spaces", { slug: "ops", visibility: "private" });
});

afterAll(() => cli.stop());

describe("a command that fails", () => {
  /** One success and one failure run as processes. The other commands set their codes in the same way. */
  const IN_A_PROCESS = [0, 5];

  // [C-errors-exit]
  it.each<[code: number, why: string, args: (wire: string) => string[]]>([
    [0, "after success", (wire) => ["wire", "get", wire]],
    [2, "for an invalid command line", () => ["send", "@bob"]],
    [2, "for a value that the service rejects", (wire) => ["thread", wire, "--cursor", "nonsense"]],
    [4, "for an operation that is not allowed", () => ["send", "@closed", "hi"]],
    [5, "for a resource that does not exist", () => ["space", "show", "nowhere"]],
    [6, "for a payload that violates a schema", () => ["send", "@shop", "--payload", "{}"]],
    [7, "for a rate limit", () => ["knock", "send", "@shop", "again"]],
    [10, "for a question without a terminal", (wire) => ["wire", "delete", wire]],
  ])("exits with %i %s", async (code, _why, args) => {
    const bob = cli.agent("bob");
    const { body } = await bob.post("/wires", { to: "bob", text: "mine" });
    await bob.post("/knocks", { handle: "alice", intro: "the one that the limit allows" });
    const run = IN_A_PROCESS.includes(code)
      ? cli.spawnAs("bob", args(body.id))
      : cli.runAs("bob", ...args(body.id));
    const ended = await run;
    expect(ended).toMatchObject({ code, stderr: code === 0 ? "" : expect.stringMatching(/^error /) });
    if (code !== 0) expect(ended.stdout).toBe("");
  });

  // [C-errors-exit]
  it("exits with 7 for a reply with too many hops, and does not name the list of limits, which lacks them", async () => {
    const bob = cli.agent("bob");
    const root = await bob.post("/wires", { to: "bob", text: "root" });
    const reply = await bob.post("/wires", { to: "bob", text: "reply", reply_to: root.body.id });
    const { code, stderr } = await cli.runAs("bob", "reply", reply.body.id, "on");
    expect([code, stderr]).toEqual([7, expect.stringContaining("start a new thread")]);
    expect(stderr).toContain("wireroom send @bob");
    expect(stderr).not.toContain("wireroom limits");
  });

  // [C-errors-exit]
  it("exits with 3 for an invalid key", async () => {
    const env = { ...cli.env("alice"), WIREROOM_API_KEY: "wr_unknown" };
    const { code, stderr } = await runInProcess(["inbox"], { env });
    expect([code, stderr]).toEqual([3, expect.stringContaining("Unset it")]);
  });

  // [C-errors-envelope]
  it("prints the error envelope with --json", async () => {
    const payload = { price: "cheap" };
    const { code, stderr } = await cli.runAs(
      "bob",
      ...["send", "@shop", "--payload", JSON.stringify(payload), "--json"],
    );
    const { body } = await cli.agent("bob").post("/wires", { to: "shop", payload });
    expect(code).toBe(6);
    expect(JSON.parse(stderr)).toEqual(body);
  });

  // [C-errors-explained]
  it("lists each position at which a payload violates its schema", async () => {
    const payload = '{"currency": "GBP", "colour": 1}';
    const { stderr } = await cli.runAs("bob", "send", "@shop", "--payload", payload);
    expect(stderr).toContain("the recipient's inbox_rule");
    expect(stderr).toContain("@alice/quote@1");
    expect(stderr).toMatch(/payload .*price/);
    expect(stderr).toMatch(/payload\.currency .*EUR/);
    expect(stderr).toContain("wireroom schema check @alice/quote@1 PAYLOAD");
  });

  // [C-errors-lines]
  it("wraps long messages between words on a terminal, and prints a single reason once", async () => {
    const terminal = Terminal.inProcess(["send", "@shop", "only payloads"], {
      env: { ...cli.env("bob"), FORCE_COLOR: "1" },
      columns: 60,
    });
    const shown = await terminal.waitFor("What to do:");
    expect(shown).toMatch(/^error @shop's inbox rule accepts no text; send a payload$/m);
    expect(shown).toMatch(/^that is valid under @alice\/quote \(POSTING_DENIED\)$/m);
    expect(shown).toContain("wireroom schema show @alice/quote");
    const empty = await cli.runAs("bob", "send", "@bob", "");
    expect(empty.stderr).toBe("error text: must not be empty (VALIDATION_ERROR)\n");
  });

  // [C-errors-words]
  it.each<[args: string[], expected: string, env?: Record<string, string>]>([
    [["space", "show", ""], "wireroom space show needs <space>: name of the space, such as ops"],
    [["egress", "show", "@"], "wireroom egress show needs <handle>: one of your handles"],
    [["approval", "approve", "", "x"], "wireroom approval approve needs <id...>: ids of the approvals"],
    [["wire", "get", ".."], "wireroom wire show needs <wire>: id or URI"],
    [["schema", "get", "@"], "wireroom schema show needs <ref>: @handle/name"],
    [["send", "bob", "hi", "--idempotency-key", "a b"], "Expected 1 to 128 visible ASCII characters."],
    [["limits"], "WIREROOM_API_KEY (or the key in the profile) is not an API key", { WIREROOM_API_KEY: "é" }],
    [["handle", "list"], "WIREROOM_ID_TOKEN is not an ID token", { WIREROOM_ID_TOKEN: "a b" }],
    [["limits", "--url", "http://127.0.0.1/api"], "--url must look like"],
    [["limits"], "another path", { WIREROOM_URL: "http://127.0.0.1/wireroom/v1" }],
    [["limits"], 'not "127.0.0.1:4747" (USAGE)\n', { WIREROOM_URL: "127.0.0.1:4747" }],
  ])("names the options and arguments of the command: %j", async (args, expected, env) => {
    const { code, stderr } = await runInProcess(args, { env: { ...cli.env("bob"), ...env } });
    expect([2, 3]).toContain(code);
    expect(stderr).toContain(expected);
    expect(stderr).not.toContain("`");
  });

  // [C-errors-next]
  it("prints next steps that name the resource of the command", async () => {
    const closed = await cli.runAs("bob", "send", "@closed", "hi");
    expect(closed.stderr).toContain("wireroom knock send @closed ");
    const missing = await cli.runAs("bob", "send", "@nobody-here", "hi");
    expect(missing.stderr).toContain("wireroom search handles");
    const denied = await cli.runAs("bob", "send", "shop", "only payloads are taken");
    expect(denied).toMatchObject({ code: 4, stderr: expect.stringContaining("POSTING_DENIED") });
  });

  // [C-errors-soon]
  it("reports within seconds that no server listens", async () => {
    const env = { ...cli.env("alice"), WIREROOM_URL: "http://127.0.0.1:1/v1" };
    const began = performance.now();
    const { code, stderr } = await runInProcess(["inbox"], { env });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(code).toBe(8);
    expect(stderr).toContain("wireroom up");
  });
});

describe("schema check", () => {
  const wrong = '{"price": "x", "currency": "GBP", "colour": 1}';
  /** Runs as a separate process, because the command starts a worker thread. */
  const check = (...args: string[]) => cli.spawnAs("bob", ["schema", "check", ...args]);

  // [C-schema-check]
  it("validates a payload against a registered schema without sending it", async () => {
    const valid = await check("@alice/quote", '{"price": 1}', "--json");
    expect(valid.code).toBe(0);
    expect(JSON.parse(valid.stdout)).toEqual({ valid: true, schema_ref: "@alice/quote@1" });
    const invalid = await check("@alice/quote", wrong);
    expect(invalid.code).toBe(6);
    expect(invalid.stderr).toContain("payload.price must be number");
    expect(invalid.stderr).toContain('payload.currency must be one of "EUR", "USD"');
    expect(invalid.stderr).toContain('must not have the property "colour"');
  });

  // [C-schema-check]
  it("reads a schema from a file", async () => {
    const file = await cli.writeFile("schema.json", JSON.stringify(SCHEMA));
    const { code, stderr } = await check(file, wrong, "--json");
    expect(code).toBe(6);
    expect(JSON.parse(stderr)).toMatchObject({ code: "SCHEMA_VALIDATION_FAILED" });
    expect(JSON.parse(stderr).errors).toHaveLength(3);
    const piped = await cli.spawnAs("bob", ["schema", "check", file, "-"], { input: '{"price": 2}' });
    expect(piped).toMatchObject({ code: 0, stdout: "valid\n" });
    const broken = await cli.writeFile("broken.json", '{"type": "nothing"}');
    expect((await check(broken, "{}")).code).toBe(2);
  });
});

/** Schemas and payloads for which general-purpose validators and the service are known to differ. */
const CONTESTED: readonly [what: string, schema: object, payload: unknown][] = [
  ["a decimal that a double cannot represent", { multipleOf: 0.1 }, 0.3],
  ["a format that Ajv does not know", { format: "idn-email" }, "no address"],
  [
    "unevaluatedItems beside contains",
    { contains: { type: "string" }, unevaluatedItems: { type: "number" } },
    ["a", true],
  ],
  ["a pattern that backtracks", { pattern: "^(a+)+$" }, `${"a".repeat(40)}!`],
  [
    "a nested $id",
    {
      $id: "https://e.example/a",
      $defs: { b: { $id: "b", $defs: { c: { type: "string" } }, $ref: "#/$defs/c" } },
      $ref: "b",
    },
    1,
  ],
];

describe("schema check and the service", () => {
  // [C-schema-check]
  it("judge alike: the same verdict, and the same errors", async () => {
    const judged = CONTESTED.map(async ([what, json_schema, payload], index) => {
      const subject = `@alice/contested-${index}`;
      const registered = await cli.agent("alice").post("/schemas", { subject, json_schema });
      expect(registered.status, what).toBe(201);
      const { body: parent } = await cli.agent("alice").post("/wires", {
        to: "@bob",
        text: what,
        reply_rule: { allow_text: false, accepted_schemas: [subject] },
      });
      const sent = await cli.agent("bob").post("/wires", { to: "@alice", reply_to: parent.id, payload });
      const args = ["schema", "check", subject, JSON.stringify(payload), "--json"];
      const { code, stderr } = await cli.spawnAs("alice", args);
      expect(code, `${what}: ${stderr}`).toBe(sent.status === 201 ? 0 : 6);
      if (sent.status !== 201) expect(JSON.parse(stderr).errors, what).toEqual(sent.body.errors);
    });
    await Promise.all(judged);
  });

  // [C-schema-check]
  it("refuse the same documents, for the same reasons", async () => {
    const json_schema = { pattern: "^(?=a)" };
    const refused = await cli.agent("alice").post("/schemas", { subject: "@alice/refused", json_schema });
    expect(refused.status).toBe(400);
    const { code, stderr } = await cli.spawnAs("alice", [
      "schema",
      "check",
      JSON.stringify(json_schema),
      '"a"',
    ]);
    expect(code).toBe(2);
    for (const { message } of refused.body.errors) expect(stderr).toContain(message);
  });

  // [C-schema-check]
  it("refuse JSON that a program would change while it reads it", async () => {
    const cases = [
      ['{"n": 9007199254740993}', "would be read as 9007199254740992"],
      ['{"n": 1, "n": 2}', '"n\\" occurs twice'],
      [`${"[".repeat(64)}${"]".repeat(64)}`, "nested deeper"],
    ] as const;
    for (const [payload, reason] of cases) {
      for (const args of [
        ["schema", "check", "{}", payload],
        ["send", "@alice", "--payload", payload],
        ["call", "wires.send", "--to", "@alice", "--payload", payload],
      ]) {
        const { code, stderr, stdout } = await cli.runAs("bob", ...args, "--json");
        expect([args[0], code, stdout]).toEqual([args[0], 2, ""]);
        expect(stderr).toContain(reason);
      }
    }
    const file = join(cli.folder, "latin1.json");
    await writeFile(file, Buffer.from('{"name": "J\xf6rg"}', "latin1"));
    const { code, stderr } = await cli.runAs("bob", "send", "@alice", "--payload", `@${file}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining("not valid UTF-8")]);
  });
});

/** Starts a service that returns these responses in order. */
async function startServiceReturning(
  ...answers: { status: number; body: object }[]
): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => {
    const { status, body } = answers.length > 1 ? answers.shift()! : answers[0]!;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

describe("a command that asks for confirmation", () => {
  // [C-agent-confirm]
  it("asks nothing if the service will refuse", async () => {
    const [bob, alice] = [cli.agent("bob"), cli.agent("alice")];
    const post = async (to: string) => (await alice.post("/wires", { to, text: "hers" })).body.id;
    await alice.post("/spaces", { slug: "hers", visibility: "public" });
    const missing = "019a2f6e-8c1b-7c3d-9e4f-5a6b7c8d9e0f";
    const codeOf = async (...args: string[]) => (await cli.runAs("bob", ...args)).code;
    expect([
      await codeOf("wire", "delete", await post("@bob")),
      await codeOf("wire", "delete", await post("@alice")),
      await codeOf("wire", "delete", missing),
      await codeOf("space", "remove-wire", "hers", missing),
      await codeOf("space", "update", "hers", "--retain-days", "1"),
      await codeOf("schema", "import", '{"type": "object"}', "--subject", "@alice/order"),
    ]).toEqual([4, 4, 5, 5, 4, 4]);
    const { body } = await bob.post("/wires", { to: "bob", text: "mine" });
    expect(await codeOf("wire", "delete", body.id)).toBe(10);
  });
});

describe("send", () => {
  const limited = { status: 429, body: { code: "RATE_LIMITED", message: "slow down", retry_after: 1 } };
  const sent = { id: "w1", uri: "http://127.0.0.1/v1/wires/w1", thread_id: "w1" };

  // [C-send-retry]
  it("waits for a rate limit only if an option requests it", async () => {
    const { server, url } = await startServiceReturning(limited, limited, { status: 201, body: sent });
    const env = { ...cli.env("alice"), WIREROOM_URL: url };
    const once = await runInProcess(["send", "@bob", "hi"], { env });
    const patient = await runInProcess(["send", "@bob", "hi", "--retry"], { env });
    server.close();
    expect(once).toMatchObject({ code: 7, stdout: "", stderr: expect.stringContaining("--retry") });
    expect(patient).toMatchObject({ code: 0, stdout: "w1\n" });
    expect(patient.stderr).toContain("retrying in 1 s");
  });

  // [C-send-held]
  it("states that the owner must approve a held wire", async () => {
    const held = { ...sent, status: "held" };
    const { server, url } = await startServiceReturning({ status: 202, body: held });
    const env = { ...cli.env("alice"), WIREROOM_URL: url };
    const plain = await runInProcess(["send", "@bob", "hi"], { env });
    const json = await runInProcess(["send", "@bob", "hi", "--json"], { env });
    server.close();
    expect(plain).toMatchObject({ code: 0, stdout: "w1\n", stderr: expect.stringContaining("must approve") });
    expect(JSON.parse(json.stdout)).toEqual(held);
  });
});
