/** Tests of `wireroom schema import`: the list of changes, included files, the question, and the errors. */
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CliFixture } from "../harness/cli-fixture.js";
import { NO_LIMITS } from "../harness/daemon.js";
import { Terminal } from "../harness/terminal.js";

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";
const ORDER = {
  $schema: DRAFT_7,
  $id: "https://example.com/order.json",
  type: "object",
  properties: {
    price: { $ref: "money.json#/definitions/amount" },
    tint: { format: "color", tsType: "Tint" },
  },
  required: ["price"],
};
const MONEY = {
  $schema: "http://json-schema.org/draft-04/schema#",
  definitions: { amount: { type: "number", minimum: 0, exclusiveMinimum: true } },
};

let cli: CliFixture;
let order: string;

beforeAll(async () => {
  cli = await CliFixture.start({ args: NO_LIMITS });
  await cli.createHandle("alice");
  order = await cli.writeFile("priceOrder.schema.json", JSON.stringify(ORDER));
  await cli.writeFile("money.json", JSON.stringify(MONEY));
});
afterAll(() => cli.stop());

const importing = (...args: string[]) => cli.runAs("alice", "schema", "import", ...args);

describe("schema import", () => {
  // [C-schema-import] [C-schema-import-documents]
  it("registers a document of an older draft, with the files to which it refers", async () => {
    const { stdout, stderr } = await importing(order, "--yes");
    expect(stdout).toBe("@alice/price-order@1\n");
    expect(stderr).toContain("money.json is included as https://example.com/money.json");
    const { body } = await cli.agent("alice").get("/schemas/%40alice%2Fprice-order");
    expect(body.json_schema).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { price: { $ref: "#/$defs/amount" }, tint: {} },
      required: ["price"],
      $defs: { amount: { type: "number", exclusiveMinimum: 0 } },
    });
  });

  it("rewrites a look-ahead to a schema whose reason shows what is refused", async () => {
    const file = await cli.writeFile("name.json", JSON.stringify({ pattern: "^(?!admin)[a-z]+$" }));
    const { stdout } = await importing(file, "--dry-run");
    const checked = await cli.runAs("alice", "schema", "check", stdout, '"administrator"');
    expect(checked.stderr).toContain(
      'must not match the schema of "not", {"type":"string","pattern":"^(?:admin)"}',
    );
  });

  it("is recommended if a schema of an older draft is registered", async () => {
    const { stderr } = await cli.runAs("alice", "schema", "register", "@alice/old", order);
    expect(stderr).toContain("wireroom schema import FILE");
  });

  // [C-schema-import-listed]
  it("prints the document and the list of changes, without a daemon, with --dry-run", async () => {
    const { stdout, stderr } = await importing(order, "--dry-run", "--url", "http://127.0.0.1:1");
    expect(JSON.parse(stdout)).toHaveProperty("$defs.amount.exclusiveMinimum", 0);
    expect(stderr).toContain("Changed, without an effect on what is valid:\n");
    expect(stderr).toContain(
      '  "tsType" is left out, because draft 7 does not define it: #/properties/tint\n',
    );
    expect(stderr).toMatch(/Not checked any more .*:\n {2}the format "color": #\/properties\/tint\n/);
    const { body } = await cli.runJson("alice", "schema", "import", order, "--dry-run");
    expect(body.json_schema).toEqual(JSON.parse(stdout));
    expect(body.changes).toContainEqual({
      effect: "looser",
      text: 'the format "color"',
      places: ["#/properties/tint"],
    });
  });

  // [C-schema-import-asks]
  it("asks before it registers", async () => {
    const env = cli.env("alice");
    const declined = Terminal.inProcess(["schema", "import", order, "--subject", "@alice/asked"], { env });
    expect(await declined.waitFor("Register the document as @alice/asked? [y/N]")).toContain(
      'the format "color"',
    );
    declined.press("n", "\r");
    expect(await declined.exitCode).toBe(10);
    expect((await cli.agent("alice").get("/schemas/%40alice%2Fasked")).status).toBe(404);
    const confirmed = Terminal.inProcess(["schema", "import", order, "--subject", "@alice/asked"], { env });
    await confirmed.waitFor("[y/N]");
    confirmed.press("y", "\r");
    await confirmed.waitFor("registered @alice/asked@1");
    const unattended = await importing(order, "--subject", "@alice/asked");
    expect(unattended.stderr).toContain("Pass --yes.");
  });

  // [C-schema-import]
  it("reads a part of a document, and standard input", async () => {
    const api = {
      openapi: "3.0.3",
      components: {
        schemas: {
          Pet: {
            properties: {
              tag: { type: "string", nullable: true },
              mother: { $ref: "#/components/schemas/Pet" },
            },
          },
        },
      },
    };
    const file = await cli.writeFile("api.json", JSON.stringify(api));
    const pet = await importing(`${file}#/components/schemas/Pet`, "--dry-run");
    expect(JSON.parse(pet.stdout).properties).toEqual({
      tag: { type: ["string", "null"] },
      mother: { $ref: "#" },
    });
    const nowhere = await importing(`${file}#/components/schemas/None`, "--dry-run");
    expect(nowhere.stderr).toContain('the reference "#/components/schemas/None"');
    const whole = await importing(file, "--dry-run");
    expect(whole.stderr).toContain(`wireroom schema import '${file}#/components/schemas/Pet'`);
    const piped = await cli.runWithInput(
      "alice",
      JSON.stringify(MONEY.definitions.amount),
      "schema",
      "import",
      "-",
      "--yes",
    );
    expect(piped.stderr).toContain("Add --subject @handle/name.");
  });

  // [C-schema-import-documents]
  it("includes other files only if they are named, or beside the schema under the name in the reference", async () => {
    const folder = join(cli.folder, "elsewhere");
    await mkdir(folder);
    const file = join(folder, "order.json");
    const shared = { $schema: DRAFT_7, $id: "https://example.com/shared.json", type: "string" };
    await writeFile(
      file,
      JSON.stringify({
        $schema: DRAFT_7,
        properties: {
          a: { $ref: "../money.json#/definitions/amount" },
          b: { $ref: "https://example.com/shared.json" },
        },
      }),
    );
    await writeFile(
      join(folder, "shared.json"),
      JSON.stringify({ ...shared, $id: "https://example.org/shared.json" }),
    );
    const { code, stderr } = await importing(file, "--dry-run");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /these documents are not here: file:.*money\.json, https:\/\/example\.com\/shared\.json/,
    );
    expect(stderr).toContain("--with FILE --with FILE");
    await writeFile(join(folder, "named.json"), JSON.stringify(shared));
    const named = await importing(
      file,
      "--dry-run",
      "--with",
      join(cli.folder, "money.json"),
      "--with",
      join(folder, "named.json"),
    );
    expect(JSON.parse(named.stdout).$defs).toEqual({
      amount: { type: "number", exclusiveMinimum: 0 },
      named: { type: "string" },
    });
  });

  // [C-schema-import-documents]
  it("does not follow a link to a file outside the folder", async () => {
    const folder = join(cli.folder, "cloned");
    await mkdir(folder);
    await symlink(join(cli.folder, "money.json"), join(folder, "money.json"));
    const file = join(folder, "order.json");
    await writeFile(file, JSON.stringify({ $ref: "money.json#/definitions/amount" }));
    const { code, stderr } = await importing(file, "--dry-run");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/not here: file:.*cloned\/money\.json/)]);
  });

  it("says which references lead nowhere, whatever they look like", async () => {
    await cli.writeFile("null.json", "null");
    const $id = "urn:example:order";
    for (const [schema, message] of [
      [{ $ref: "null.json" }, 'the reference "null.json" at # leads to no schema'],
      [{ $ref: "file://host/x.json" }, "not here: file://host/x.json"],
      [{ $ref: "a%2Fb.json" }, /not here: file:.*a%2Fb\.json/],
      [
        { $id, items: { $ref: "https://example.com/money.json" } },
        "not here: https://example.com/money.json",
      ],
      [{ $id, items: { $ref: "money.json" } }, 'the reference "money.json" at #/items leads to no schema'],
    ] as const) {
      const { code, stderr } = await importing(
        await cli.writeFile("nowhere.json", JSON.stringify(schema)),
        "--dry-run",
      );
      expect(code).toBe(2);
      expect(stderr).toMatch(message);
    }
  });

  it("suggests a part of a part that is too large", async () => {
    const file = await cli.writeFile("parts.json", JSON.stringify({ a: { enum: ["x".repeat(40_000)] } }));
    const { stderr } = await importing(`${file}#/a`, "--dry-run");
    expect(stderr).toContain(`Import a part of it: wireroom schema import '${file}#/a'/NAME`);
  });

  it.each([
    [{ $ref: "#/$defs/none" }, /the reference "#\/\$defs\/none" at # leads to no schema; correct it/],
    [{ $ref: "#" }, /would not be registered: .*refers back to itself/],
    [{ enum: ["x".repeat(40_000)] }, /at most 32768 bytes.*\n\n.*\n.*Import a part of it/],
    [[{ type: "object" }], /a schema must be a JSON object, not a list or a value/],
    [{ $schema: "http://json-schema.org/draft-03/schema#" }, /drafts before 4 cannot be imported/],
  ])("says why a schema cannot be imported: %#", async (schema, message) => {
    const { code, stderr } = await importing(
      await cli.writeFile("bad.json", JSON.stringify(schema)),
      "--yes",
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
