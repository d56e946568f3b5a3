/**
 * Tests of `wireroom schema types`: the types are right, and nothing in a schema gets out of its comment,
 * string or name.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TypeNames } from "../../cli/services/schema/type-text.js";
import { declarationsOf } from "../../cli/services/schema/type-writer.js";
import { CliFixture } from "../harness/cli-fixture.js";
import { NO_LIMITS } from "../harness/daemon.js";

let cli: CliFixture;

beforeAll(async () => {
  cli = await CliFixture.start({ args: NO_LIMITS, isHosted: true });
  await cli.createHandle("acme");
  await cli.createHandle("mallory");
});
afterAll(() => cli.stop());

async function register(subject: string, json_schema: object): Promise<void> {
  const { status, body } = await cli
    .agent(subject.slice(1).split("/")[0]!)
    .post("/schemas", { subject, json_schema });
  expect(body).not.toHaveProperty("errors");
  expect(status).toBe(201);
}

/** Returns the source of the root type of a schema, without line breaks. */
async function typeOf(document: Record<string, unknown>): Promise<string> {
  const [root, ...others] = await declarationsOf("T", document, new TypeNames(["T"]));
  return [root, ...others].join(" ").replace(/\s+/g, " ").trim();
}

const ADDRESS = {
  type: "object",
  description: "Where to send it.",
  required: ["city"],
  properties: { city: { type: "string" }, zip: { type: ["string", "null"] } },
  additionalProperties: false,
};

const ORDER = {
  type: "object",
  title: "An order",
  required: ["lines", "state"],
  properties: {
    lines: { type: "array", items: { $ref: "#/$defs/line" }, description: "At least one line." },
    state: { enum: ["open", "paid", 3, null] },
    "ship-to": { $ref: "#address" },
    range: {
      type: "array",
      prefixItems: [{ type: "integer" }, { type: "integer" }],
      items: false,
      minItems: 1,
    },
    labels: { type: "object", additionalProperties: { type: "string" } },
    method: {
      oneOf: [
        { const: "post" },
        { type: "object", required: ["by"], properties: { by: { type: "string" } } },
      ],
    },
  },
  anyOf: [{ required: ["ship-to"] }, { required: ["method"] }],
  $defs: {
    line: {
      type: "object",
      required: ["sku"],
      properties: { sku: { type: "string" }, parts: { type: "array", items: { $ref: "#/$defs/line" } } },
    },
    address: { $anchor: "address", ...ADDRESS },
  },
};

describe("schema types", () => {
  // [C-schema-types]
  it("writes a module with a type for each schema, which compiles and fits the payloads", async () => {
    await register("@acme/order", ORDER);
    await register("@acme/address", ADDRESS);
    const file = join(cli.folder, "types.ts");
    const { stdout, code } = await cli.runAs("acme", "schema", "types", "--out", file);
    expect(code, stdout).toBe(0);
    const source = await readFile(file, "utf8");
    expect(source).toContain('"@acme/order": AcmeOrder;');
    expect(source).toContain("/** At least one line. */");
    const use = join(cli.folder, "use.ts");
    await writeFile(
      use,
      `import type { AcmeOrder, SchemaPayloads } from "./types.js";
      const order: AcmeOrder = { lines: [{ sku: "a", parts: [{ sku: "b" }] }], state: "paid", "ship-to": { city: "Oslo", zip: null }, range: [1, 2] };
      const same: SchemaPayloads["@acme/order"] = order;
      // @ts-expect-error: a required property is missing
      const noState: AcmeOrder = { lines: [], method: "post" };
      // @ts-expect-error: neither ship-to nor method
      const neither: AcmeOrder = { lines: [], state: "open" };
      // @ts-expect-error: the tuple has two items
      const long: AcmeOrder = { lines: [], state: 3, method: { by: "van" }, range: [1, 2, 3] };
      // @ts-expect-error: no such state
      const other: AcmeOrder = { lines: [], state: "sent", method: "post" };
      export { same, noState, neither, long, other };`,
    );
    await compile(file, use);
  });

  // [C-schema-types]
  it("prints the types of named versions, and replaces only its own files", async () => {
    await register("@acme/point", { type: "object", properties: { x: { type: "number" } } });
    const { stdout } = await cli.runAs("mallory", "schema", "types", "@acme/point@1", "@acme/point");
    expect(stdout).toContain("export type AcmePointV1 = {\n  x?: number;\n};");
    expect(stdout).toContain("export type AcmePoint = {");
    const file = join(cli.folder, "own.ts");
    const write = () => cli.runAs("acme", "schema", "types", "@acme/point", "--out", file);
    expect([(await write()).code, (await write()).code]).toEqual([0, 0]);
    await writeFile(file, "my own work");
    expect((await write()).stderr).toContain("was not written by this command");
    expect(await readFile(file, "utf8")).toBe("my own work");
    expect((await cli.runAs("mallory", "schema", "types")).stderr).toContain(
      "@mallory has no registered schema",
    );
  });

  // [C-schema-types]
  it("writes nothing if the search may have left out schemas of the handle", async () => {
    await cli.createHandle("crowd");
    await register("@crowd/first", { type: "object" });
    const file = join(cli.folder, "crowd.ts");
    const write = (...refs: string[]) => cli.runAs("crowd", "schema", "types", ...refs, "--out", file);
    expect((await write()).code).toBe(0);
    const before = await readFile(file, "utf8");
    // The search also finds these, and returns at most 50 schemas.
    for (let n = 0; n < 49; n++) await register(`@mallory/crowd-${n}`, { type: "object" });
    const { code, stdout, stderr } = await write();
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("schemas of @crowd may be missing");
    expect(stderr).toContain("wireroom schema types @crowd/NAME");
    expect(await readFile(file, "utf8")).toBe(before);
    expect((await write("@crowd/first")).code).toBe(0);
  });

  // [C-schema-types-safe]
  it("lets nothing of a schema out of its comment, string or name", async () => {
    const code = '*/ }; evil(); import "evil"; //';
    const hostile = [
      code,
      '"; evil(); "',
      `\`$\{evil()}\``,
      "a\u2028evil()",
      "@ts-nocheck",
      "\u202eevil",
      "*\n/evil() /*",
    ];
    const properties = Object.fromEntries(
      hostile.map((text, n) => [
        text,
        { title: text, description: `${text}\n${text}`, enum: [text, n, { [text]: [text] }] },
      ]),
    );
    const $defs = Object.fromEntries(
      hostile.map((text) => [text, { type: "object", title: text, required: [text] }]),
    );
    const refs = hostile.map((text) => ({
      $ref: `#/$defs/${encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"))}`,
    }));
    const json_schema = {
      type: "object",
      title: hostile.join("\n"),
      description: "/* @jsx evil */ /// <reference path='evil' />",
      properties: { ...properties, refs: { type: "array", prefixItems: refs } },
      required: hostile,
      patternProperties: { "^\\*/ evil": { const: code } },
      $defs,
    };
    await register("@mallory/order", json_schema);
    const { stdout } = await cli.runAs("acme", "schema", "types", "@mallory/order");
    const parsed = ts.createSourceFile("types.ts", stdout, ts.ScriptTarget.Latest, true);
    for (const statement of parsed.statements)
      expect(
        ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement),
        statement.getText(),
      ).toBe(true);
    expect(parsed.statements).toHaveLength(2 + hostile.length);
    expect(stdout).not.toMatch(/[\u2028\u202e]/);
    expect(parsed.referencedFiles).toEqual([]);
    expect(stdout).not.toMatch(/^\s*\/?\**\s*@/m);
    const file = join(cli.folder, "hostile.ts");
    await writeFile(file, stdout);
    await compile(file);
  });
});

describe("the type of a schema", () => {
  it.each([
    ["true", {}, "unknown"],
    ["several types", { type: ["string", "null"] }, "string | null"],
    ["a constant", { const: { a: [1, "b"] } }, '{ a: [1, "b"] }'],
    ["a union in an array", { type: "array", items: { type: ["string", "integer"] } }, "(string | number)[]"],
    ["an open tuple", { type: "array", prefixItems: [{ type: "string" }] }, "[string?, ...unknown[]]"],
    ["an intersection", { allOf: [{ type: "string" }, { enum: ["a", "b"] }] }, 'string & ("a" | "b")'],
    ["no type: any value that is no object is valid", { properties: { a: { type: "string" } } }, "unknown"],
    ["a property that needs no schema", { type: "object", required: ["a"] }, "{ a: unknown; }"],
    [
      "other properties beside named ones",
      { type: "object", properties: { a: false }, additionalProperties: true },
      "{ a?: never; [key: string]: unknown; }",
    ],
    [
      "patterns",
      { type: "object", patternProperties: { "^a": { type: "string" } }, additionalProperties: false },
      "{ [key: string]: string; }",
    ],
    ["a reference that cannot be followed", { $ref: "https://example.com/schema" }, "unknown"],
    ["a reference to the document", { type: "array", items: { $ref: "#" } }, "T[]"],
    [
      "a dynamic reference",
      { $dynamicAnchor: "node", type: "array", items: { $dynamicRef: "#node" } },
      "T[]",
    ],
    [
      "an embedded document",
      {
        $ref: "a#b",
        $defs: {
          a: {
            $id: "https://example.com/a",
            $defs: { b: { $anchor: "b", $ref: "#/$defs/c" }, c: { type: "string" } },
          },
        },
        $id: "https://example.com/",
      },
      "TB; export type TB = TC; export type TC = string",
    ],
  ])("%s", async (_, document, type) => {
    expect(await typeOf(document)).toBe(`export type T = ${type};`);
  });

  it("visits each schema once, also if a list of types contains duplicates", async () => {
    let visits = 0;
    let document: Record<string, unknown> = {
      get const() {
        return ++visits;
      },
    };
    for (let depth = 0; depth < 8; depth++)
      document = { type: ["object", "object"], properties: { a: document } };
    expect(await typeOf(document)).toContain("{ a?: ");
    expect(visits).toBeLessThan(10);
  });

  it("has different names for different schemas", async () => {
    const $defs = { "a b": { type: "string" }, "a-b": { type: "number" } };
    const document = { allOf: [{ $ref: "#/$defs/a%20b" }, { $ref: "#/$defs/a-b" }], $defs };
    expect(await typeOf(document)).toContain(
      "TAB & TAB_2; export type TAB = string; export type TAB_2 = number;",
    );
  });
});

/** Compiles modules in strict mode. Fails with the messages of the compiler. */
async function compile(...files: string[]): Promise<void> {
  const tsc = resolve("node_modules/typescript-native/bin/tsc");
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--target",
    "es2022",
  ];
  const modules = ["--module", "esnext", "--moduleResolution", "bundler", "--types", ""];
  await promisify(execFile)(process.execPath, [tsc, ...options, ...modules, ...files]).catch(({ stdout }) =>
    expect.fail(stdout),
  );
}
