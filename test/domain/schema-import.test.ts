/** Tests of schema imports: the imported document accepts what the original accepts, or the change is listed. */
import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkSchema, compileSchema, type JsonObject } from "../../src/domain/json-schema/index.js";
import { importSchema } from "../../src/service/schemas/import.js";

const DRAFT_4 = "http://json-schema.org/draft-04/schema#";
const DRAFT_7 = "http://json-schema.org/draft-07/schema#";
const DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema";

/** Imports a schema that may refer to the given documents, and that the service must then accept. */
async function imported(root: unknown, { pointer = "", files = {} as Record<string, JsonObject> } = {}) {
  const { document, changes, unresolved, problems } = await importSchema(
    { uri: "file:///dir/root.json", root, pointer },
    async (uri) => (files[uri] ? { name: uri.replace(/^.*\//, ""), root: files[uri] } : undefined),
  );
  expect({ unresolved, problems }).toEqual({ unresolved: [], problems: [] });
  const listed = (effect: string) =>
    changes.flatMap((change) => (change.effect === effect ? [change.text] : []));
  const validate = compileSchema(document as JsonObject);
  return {
    document: JSON.parse(JSON.stringify(document)) as JsonObject,
    changes,
    looser: listed("looser"),
    stricter: listed("stricter"),
    accepts: (payload: unknown) => validate(payload).length === 0,
  };
}

describe("an imported schema", () => {
  // [C-schema-import]
  it.each<[what: string, schema: JsonObject, valid: unknown[], invalid: unknown[]]>([
    [
      "exclusive bounds",
      { $schema: DRAFT_4, minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: false },
      [2, 3, "1"],
      [1, 4],
    ],
    [
      "a tuple",
      { $schema: DRAFT_7, items: [{ type: "string" }], additionalItems: { type: "number" } },
      [["a", 1], []],
      [[1], ["a", "b"]],
    ],
    [
      "a closed tuple",
      { $schema: DRAFT_7, items: [{ type: "string" }], additionalItems: false },
      [["a"]],
      [["a", 1]],
    ],
    ["an empty tuple", { $schema: DRAFT_7, items: [], additionalItems: false }, [[]], [[1]]],
    [
      "additionalItems without a tuple",
      { $schema: DRAFT_7, items: true, additionalItems: false },
      [[1, 2]],
      [],
    ],
    [
      "dependencies",
      { $schema: DRAFT_7, dependencies: { a: ["b"], c: { required: ["d"] }, __proto__x: [] } },
      [{ a: 1, b: 1 }, { c: 1, d: 1 }, {}],
      [{ a: 1 }, { c: 1 }],
    ],
    [
      "identifiers",
      {
        $schema: DRAFT_4,
        id: "http://example.com/root",
        properties: { id: { $ref: "#name" }, other: { $ref: "http://example.com/item#/properties/n" } },
        definitions: {
          name: { id: "#name", type: "string" },
          item: { id: "item", properties: { n: { type: "number" }, self: { $ref: "#" } } },
        },
      },
      [{ id: "a", other: 1 }],
      [{ id: 1 }, { other: "a" }],
    ],
    [
      "references to places without a keyword",
      {
        $schema: DRAFT_7,
        properties: { a: { $ref: "#/types/a%20b" } },
        types: { "a b": { $ref: "#/types/c~1d" }, "c/d": { const: 1 } },
      },
      [{ a: 1 }],
      [{ a: 2 }],
    ],
    [
      "a reference to a part of a definition, and to itself",
      {
        $schema: DRAFT_7,
        definitions: {
          node: { properties: { next: { $ref: "#/definitions/node" }, tag: { type: "string" } } },
        },
        properties: {
          tag: { $ref: "#/definitions/node/properties/tag" },
          node: { $ref: "#/definitions/node" },
        },
      },
      [{ tag: "a", node: { next: { next: {} } } }],
      [{ tag: 1 }, { node: { next: { tag: 1 } } }],
    ],
    [
      "recursive references",
      { $schema: DRAFT_2019, properties: { child: { $recursiveRef: "#" }, n: { type: "number" } } },
      [{ child: { n: 1 } }],
      [{ child: { n: "a" } }],
    ],
    [
      "nullable types of OpenAPI",
      { type: "object", properties: { a: { type: "string", nullable: true }, b: { type: "string" } } },
      [{ a: null }, { a: "x" }],
      [{ b: null }, { a: 1 }],
    ],
    [
      "keywords without an effect",
      { $schema: DRAFT_7, if: { const: 1 }, additionalItems: false },
      [1, [2]],
      [],
    ],
    ["`if` with `else`", { $schema: DRAFT_7, if: { const: 1 }, else: false }, [1], [2]],
    [
      "what an `if` alone has evaluated",
      { $schema: DRAFT_2019, if: { properties: { a: { type: "string" } } }, unevaluatedProperties: false },
      [{ a: "x" }],
      [{ a: 1 }, { b: 1 }],
    ],
  ])("keeps %s", async (_what, schema, valid, invalid) => {
    const { accepts, looser, stricter } = await imported(schema);
    for (const payload of valid) expect(accepts(payload), JSON.stringify(payload)).toBe(true);
    for (const payload of invalid) expect(accepts(payload), JSON.stringify(payload)).toBe(false);
    expect([...looser, ...stricter]).toEqual([]);
  });

  // [C-schema-import]
  it("gives the verdicts of a validator for the original draft", async () => {
    const schema = {
      $schema: DRAFT_7,
      definitions: {
        even: { multipleOf: 2 },
        pair: { items: [{ $ref: "#/definitions/even" }, true], additionalItems: false },
      },
      oneOf: [
        { $ref: "#/definitions/pair" },
        { dependencies: { a: { properties: { b: { $ref: "#/definitions/even" } } } } },
      ],
      not: { type: "object", patternProperties: { "^(?!a|b)": { type: "string" } }, required: ["c"] },
    };
    const original = new Ajv({ strict: false }).compile(schema);
    const { accepts } = await imported(schema);
    const value = fc.oneof(
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom("a", "b", "c", "ca"),
        fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant("x")),
      ),
    );
    fc.assert(fc.property(value, (payload) => accepts(payload) === original(payload)));
  });

  // [C-schema-import-listed]
  it("lists what is not checked any more", async () => {
    const { looser, accepts } = await imported({
      $schema: DRAFT_7,
      properties: {
        a: { format: "color", minLength: "3" },
        b: { pattern: "(?<=x)y" },
        c: { patternProperties: { "(?<=x)y": { type: "string" } }, additionalProperties: false },
        d: null,
      },
    });
    expect(looser).toEqual([
      'the format "color"',
      '"minLength" with the invalid value "3"',
      'the pattern "(?<=x)y"',
      'the properties with names of the pattern "(?<=x)y"',
      '"additionalProperties"',
      "not a schema, but null",
    ]);
    expect(accepts({ a: "", b: "z", c: { xy: 1, z: 2 }, d: 1 })).toBe(true);
  });

  // [C-schema-import-listed]
  it("lists what the original draft does not check", async () => {
    const { stricter, accepts } = await imported({
      $schema: DRAFT_4,
      definitions: { text: { type: "string" } },
      properties: {
        a: { const: 1 },
        b: { $ref: "#/definitions/text", minLength: 2, description: "b" },
        c: { format: "date" },
      },
    });
    expect(stricter).toEqual([
      '"const", which draft 4 ignores',
      '"minLength" beside "$ref", which draft 4 ignores',
      'the format "date"',
    ]);
    expect(accepts({ a: 1, b: "xy", c: "2026-01-31" })).toBe(true);
    for (const payload of [{ a: 2 }, { b: "x" }, { c: "31.1." }]) expect(accepts(payload)).toBe(false);
    const newer = await imported({
      $schema: DRAFT_2019,
      dependencies: { a: ["b"], d: { maxProperties: 1 } },
      dependentRequired: { a: ["c"] },
    });
    expect(newer.stricter).toEqual(['"dependencies", which draft 2019-09 ignores']);
    expect(newer.accepts({ a: 1, b: 1, c: 1 })).toBe(true);
    for (const payload of [
      { a: 1, b: 1 },
      { a: 1, c: 1 },
      { d: 1, e: 1 },
    ])
      expect(newer.accepts(payload), JSON.stringify(payload)).toBe(false);
  });

  // [C-schema-import]
  it("needs no change if the service accepts it already", async () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      description: "An order",
      type: "object",
      properties: { a: { $ref: "#/$defs/a b" } },
      $defs: { "a b": { prefixItems: [true], unevaluatedItems: false } },
    };
    const { document, changes } = await imported({ ...schema, properties: { a: { $ref: "#/$defs/a%20b" } } });
    expect(changes).toEqual([]);
    expect(document).toEqual({
      ...schema,
      properties: { a: { $ref: "#/$defs/a_b" } },
      $defs: { a_b: schema.$defs["a b"] },
    });
  });

  // [C-schema-import-documents]
  it("includes the documents to which it refers, each by the rules of its draft", async () => {
    const files = {
      "file:///dir/common.json": {
        $schema: DRAFT_4,
        definitions: {
          positive: { minimum: 0, exclusiveMinimum: true },
          back: { $ref: "root.json#/definitions/text" },
        },
      },
      "https://example.com/name": { $id: "https://example.com/name", type: "string" },
    };
    const { accepts, document, changes } = await imported(
      {
        $schema: DRAFT_7,
        definitions: { text: { type: "string" }, unused: { type: "string" } },
        properties: {
          amount: { $ref: "common.json#/definitions/positive" },
          text: { $ref: "common.json#/definitions/back" },
          name: { $ref: "https://example.com/name" },
          schema: { $ref: DRAFT_7 },
        },
      },
      { files },
    );
    expect(accepts({ amount: 1, text: "a", name: "b", schema: { type: "string" } })).toBe(true);
    for (const payload of [{ amount: 0 }, { text: 1 }, { name: 1 }, { schema: { type: "text" } }])
      expect(accepts(payload), JSON.stringify(payload)).toBe(false);
    expect(Object.keys(document.$defs as object)).not.toContain("unused");
    expect(changes.map(({ text }) => text)).toContain("common.json is included as file:///dir/common.json");
    expect(changes.find(({ text }) => text.startsWith('"exclusiveMinimum"'))?.places).toEqual([
      "common.json#/definitions/positive",
    ]);
  });

  it("reports references that lead nowhere", async () => {
    const root = {
      properties: { a: { $ref: "other.json#/a" }, b: { $ref: "#/none" }, c: { $ref: "#none" } },
    };
    const { unresolved } = await importSchema(
      { uri: "file:///dir/root.json", root, pointer: "" },
      async () => undefined,
    );
    expect(unresolved).toEqual([
      { reference: "other.json#/a", place: "#/properties/a", missing: "file:///dir/other.json" },
      { reference: "#/none", place: "#/properties/b", missing: undefined },
      { reference: "#none", place: "#/properties/c", missing: undefined },
    ]);
  });

  it("is refused for draft 3, whose keywords differ", async () => {
    const root = { $schema: "http://json-schema.org/draft-03/schema#", divisibleBy: 2 };
    const { problems } = await importSchema(
      { uri: "file:///dir/root.json", root, pointer: "" },
      async () => undefined,
    );
    expect(problems).toMatchObject([{ keyword: "$schema" }]);
  });

  // [C-schema-import-listed]
  it("loses annotations, and nothing else, if it is too large", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `p${n}`,
        { type: "string", description: "x".repeat(100), title: "t" },
      ]),
    );
    const { document, changes, looser } = await imported({ $schema: DRAFT_7, properties });
    expect(document.properties).toHaveProperty("p7", { type: "string", title: "t" });
    expect(changes.map(({ text }) => text)).toContain(
      '"description" is left out, because the document is too large',
    );
    expect(looser).toEqual([]);
  });
});

describe("a rewritten pattern", () => {
  const TEXTS = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", "_", "\n", "😀"), maxLength: 6 });

  // [C-schema-import]
  it.each([
    "^(?!a)",
    "^(?!ab$).*$",
    "^(?=.*a)(?=.*b).+$",
    "^ab(?!c)[a-c]*",
    "^(?!a|b$)c*",
    "^[ab](?=c).*",
    ".*(?<!ab)$",
    "^(?!a).*(?<!b)$",
    "^((?!ab).)*$",
    "^(?:(?![ab]c|-).)*$",
    "\\_",
    "^[\\w-_]+$",
    "a{",
    "a\\-b",
    "^a]$",
  ])("matches the same texts: %s", async (pattern) => {
    const original = new RegExp(pattern, isUnicode(pattern) ? "u" : "");
    expect(checkSchema({ pattern })).not.toEqual([]);
    const { accepts, looser } = await imported({ $schema: DRAFT_7, pattern });
    expect(looser).toEqual([]);
    expect(accepts(1)).toBe(true);
    fc.assert(fc.property(TEXTS, (text) => accepts(text) === original.test(text)));
  });

  // [C-schema-import]
  it.each<[pattern: string, schema: JsonObject]>([
    ["^(?!a).*", {}],
    ["^(?!a$).*$", { properties: { a: { type: "number" } } }],
    ["^(?!b).+$", { allOf: [{ maxProperties: 2 }] }],
    ["^(?!a$)(?!-).+", { additionalProperties: true }],
    ["^(?!a)[a-c]+$", { additionalProperties: false }],
    ["^(?!a$)[a-c]+$", { properties: { a: { type: "number" } }, additionalProperties: false }],
  ])("matches the same names: %s beside %j", async (pattern, rest) => {
    const schema = { $schema: DRAFT_7, ...rest, patternProperties: { [pattern]: { type: "string" } } };
    const original = new Ajv2019({ strict: false }).compile({ ...schema, $schema: DRAFT_2019 });
    const { accepts, looser } = await imported(schema);
    expect(looser).toEqual([]);
    const objects = fc.dictionary(TEXTS, fc.constantFrom("x", 1), { maxKeys: 3 });
    fc.assert(fc.property(objects, (object) => accepts(object) === original(object)));
  });

  it.each(["(?!a)b", "a+(?!b)", "^(?!(?=a)b)", "(a)\\1", "a\\Z", "(?i)a"])(
    "is left out if no equivalent is known: %s",
    async (pattern) => {
      expect((await imported({ $schema: DRAFT_7, pattern })).looser).toEqual([
        `the pattern ${JSON.stringify(pattern)}`,
      ]);
    },
  );
});

function isUnicode(pattern: string): boolean {
  try {
    return Boolean(new RegExp(pattern, "u"));
  } catch {
    return false;
  }
}
