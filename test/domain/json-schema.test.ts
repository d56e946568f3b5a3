import { describe, expect, it } from "vitest";
import { checkSchema, compileSchema, type JsonObject } from "../../src/domain/json-schema/index.js";
import { readSuite } from "../harness/conformance-suites.js";

interface Case {
  id: string;
  group: string;
  test: string;
  schema: JsonObject | boolean;
  data: unknown;
  valid: boolean;
  sendable: boolean;
}

const cases = readSuite<Case[]>("json-schema/cases.shared.json");
const traps = readSuite<{ schema: JsonObject; data: unknown; valid: boolean }[]>(
  "json-schema/ajv-traps.json",
);
const why = "the suites are not here: set WIREROOM_SUITES";

/**
 * Groups of the suite whose schemas are rejected, by the rule that rejects them
 * (docs/specification/schemas.md#accepted-documents).
 */
const REFUSED = {
  "a schema is an object": ["boolean schema 'true'"],
  "no reference leaves the document": [
    "validate definition against metaschema",
    "strict-tree schema, guards against misspelled properties",
    "$ref and $dynamicAnchor are independent of order - $ref first",
    "$ref to $dynamicRef finds detached $dynamicAnchor",
    "refs to historic drafts are processed as historic drafts",
    "fragment within remote ref",
    "anchor within remote ref",
    "ref within remote ref",
    "base URI change",
    "Location-independent identifier in remote ref",
    "remote HTTP ref with different URN $id",
    "remote HTTP ref with nested absolute ref",
  ],
  "no keyword stands without the one that it needs": [
    "ignore if without then or else",
    "ref to if",
    "unevaluatedProperties can see annotations from if without then and else",
    "maxContains without contains is ignored",
    "maxContains < minContains",
  ],
  "formats are known": ["unknown format"],
  "keywords are known": [
    "reference of an arbitrary keyword of a sub-schema",
    "reference of an arbitrary keyword of a sub-schema with encoded ref",
  ],
};

/**
 * Returns whether a case treats a format as an annotation. docs/specification/schemas.md#formats requires an
 * assertion.
 */
const isAnnotationOnly = (test: string) => /^invalid .* string is only an annotation by default$/.test(test);

const isValid = (schema: JsonObject, data: unknown) => compileSchema(schema)(data).length === 0;
const reasons = (schema: JsonObject, data: unknown) => compileSchema(schema)(data);
const keywords = (document: unknown) => checkSchema(document).map(({ keyword }) => keyword);

describe("the test suite of JSON Schema 2020-12", () => {
  it.skipIf(!cases)(`matches the verdicts for every accepted schema${cases ? "" : ` (${why})`}`, () => {
    const all = cases ?? [];
    const accepted = all.filter(({ schema }) => checkSchema(schema).length === 0);
    const wrong = accepted.filter(({ schema, data, valid }) => isValid(schema as JsonObject, data) !== valid);
    console.log(`JSON-Schema-Test-Suite: ${accepted.length - wrong.length} of ${all.length} cases right`);
    console.log(`  ${wrong.length} wrong, ${all.length - accepted.length} with a schema that is refused`);
    expect(
      wrong.filter(({ test }) => !isAnnotationOnly(test)).map(({ id, test }) => `${id} ${test}`),
    ).toEqual([]);
    expect(wrong.length).toBe(all.filter(({ test }) => isAnnotationOnly(test)).length);
  });

  it.skipIf(!cases)("rejects exactly the schemas that the rules reject", () => {
    const refused = new Set(
      (cases ?? []).filter(({ schema }) => checkSchema(schema).length > 0).map(({ group }) => group),
    );
    expect([...refused].sort()).toEqual(Object.values(REFUSED).flat().sort());
  });

  it.skipIf(!traps)("is correct for the documents for which Ajv 8.20 is wrong", () => {
    for (const { schema, data, valid } of traps ?? []) {
      expect(checkSchema(schema)).toEqual([]);
      expect(isValid(schema, data)).toBe(valid);
    }
  });
});

describe("the check of a schema document", () => {
  it("accepts only objects", () => {
    for (const document of [null, true, 1, "x", [], undefined]) expect(keywords(document)).toEqual(["type"]);
    expect(checkSchema({})).toEqual([]);
  });

  it("reports violations of the meta-schema", () => {
    expect(checkSchema({ properties: { a: { minLength: -1 } } })).toEqual([
      { instancePath: "/properties/a/minLength", keyword: "minimum", message: "must be >= 0" },
    ]);
  });

  it("rejects keywords of other validators and other drafts", () => {
    for (const keyword of [
      "$async",
      "nullable",
      "discriminator",
      "$merge",
      "formatMinimum",
      "id",
      "$recursiveRef",
      "additionalItems",
      "$data",
    ]) {
      expect(keywords({ [keyword]: true }), keyword).not.toEqual([]);
    }
    expect(keywords({ minimum: { $data: "1/a" } })).toEqual(["type"]);
    expect(keywords({ $schema: "http://json-schema.org/draft-07/schema#" })).toEqual(["$schema"]);
  });

  it("accepts the domain of an idn-email that is not in NFC, but no such idn-hostname", () => {
    const isAddress = (text: string) => isValid({ format: "idn-email" }, text);
    expect(isAddress("a@u\u0308ber.example")).toBe(true);
    expect(isAddress("u\u0308@\u1100\u1161.example")).toBe(true);
    expect(isAddress("a@\u0308ber.example")).toBe(false);
    expect(isAddress("a@\u00dcber.example")).toBe(false);
    expect(isValid({ format: "idn-hostname" }, "u\u0308ber.example")).toBe(false);
  });

  it("rejects unknown formats and lists the known ones", () => {
    expect(checkSchema({ format: "phone" })[0]?.message).toContain('"date-time"');
  });

  it("resolves references only inside the document", () => {
    expect(keywords({ $ref: "#/$defs/none" })).toEqual(["$ref"]);
    expect(keywords({ $ref: "https://example.com/other.json" })).toEqual(["$ref"]);
    expect(keywords({ $dynamicRef: "#none" })).toEqual(["$dynamicRef"]);
    expect(checkSchema({ $ref: "item", $defs: { a: { $id: "item", $anchor: "b" } } })).toEqual([]);
    expect(checkSchema({ $ref: "item#b", $defs: { a: { $id: "item", $anchor: "b" } } })).toEqual([]);
  });

  it("rejects recursion that does not descend into the value", () => {
    for (const document of [
      { $ref: "#" },
      { $dynamicAnchor: "a", $dynamicRef: "#a" },
      {
        $ref: "#/$defs/a",
        $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } },
      },
    ]) {
      expect(checkSchema(document)[0]?.message).toContain("never end");
    }
    const tree = { properties: { children: { items: { $ref: "#" } } } };
    expect(checkSchema(tree)).toEqual([]);
    expect(isValid(tree, { children: [{ children: [] }] })).toBe(true);
  });

  it("accepts a cycle of references that validation cannot reach", () => {
    const cycle = { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }] } };
    expect(checkSchema({ type: "string", $defs: cycle })).toEqual([]);
    expect(isValid({ type: "string", $defs: cycle }, "x")).toBe(true);
    expect(checkSchema({ contentSchema: { $ref: "#/contentSchema" } })).toEqual([]);
    for (const reaching of [
      { $ref: "#/$defs/a" },
      { properties: { p: { $ref: "#/$defs/b" } } },
      { dependentSchemas: { p: { $ref: "#/$defs/b" } } },
      { dependencies: { p: { $ref: "#/$defs/b" } } },
      { prefixItems: [{ $ref: "#/$defs/c" }] },
      { $defs: { ...cycle, d: { $id: "d", $dynamicAnchor: "n", $ref: "/#/$defs/a" } }, $dynamicRef: "d#n" },
    ])
      expect(
        checkSchema({ $defs: { ...cycle, c: { items: { $ref: "#/$defs/a" } } }, ...reaching })[0]?.message,
        JSON.stringify(reaching),
      ).toContain("never end");
  });

  it("rejects documents that are too large or nested too deeply, and never throws", () => {
    const nest = (depth: number) => {
      let schema: JsonObject = {};
      for (let i = 0; i < depth; i++) schema = { not: schema };
      return schema;
    };
    expect(keywords({ description: "x".repeat(40_000) })).toEqual(["size"]);
    expect(keywords({ description: "ß".repeat(16_380) })).toEqual(["size"]);
    expect(keywords(nest(1_000))).toEqual(["depth"]);
    expect(keywords(nest(100_000))).toEqual(["depth"]);
    expect(checkSchema(nest(61))).toEqual([]);
    expect(keywords(nest(62))).toEqual(["depth"]);
    const chain = Object.fromEntries(
      Array.from({ length: 900 }, (_, i) => [`d${i}`, { $ref: `#/$defs/d${i + 1}` }]),
    );
    expect(checkSchema({ $defs: { ...chain, d900: {} } })[0]?.message).toContain("shorten the chain");
  });

  it("separates the $id of documents, including the meta-schemas", () => {
    for (const $id of [
      "https://json-schema.org/draft/2020-12/schema",
      "https://json-schema.org/draft/2020-12/meta/core",
      "__proto__",
      "urn:a",
    ]) {
      expect(checkSchema({ $id, type: "string" }), $id).toEqual([]);
      expect(isValid({ $id, type: "string" }, 1)).toBe(false);
      expect(isValid({ $id, type: "number" }, 1)).toBe(true);
    }
    expect(keywords({ type: "nothing" })).not.toEqual([]);
    expect(keywords({ $defs: { a: { $id: "x" }, b: { $id: "x" } } })).toEqual(["$id"]);
    expect(keywords({ $id: "http://[" })).toEqual(["format"]);
  });
});

describe("a pattern", () => {
  it("is rejected with a reason if it cannot run in linear time", () => {
    for (const pattern of [
      "(?=a)b",
      "(?<!a)b",
      "(a)\\1",
      "(?<n>a)\\k<n>",
      "a{2000}",
      "((a{100}){100}){100}",
    ]) {
      const [reason] = checkSchema({ patternProperties: { [pattern]: {} } });
      expect(reason?.message, pattern).toContain(JSON.stringify(pattern));
    }
  });

  it("is rejected if ECMA-262 does not allow it", () => {
    for (const pattern of ["\\Z", "\\a", "(", "[b-a]", "a**"])
      expect(keywords({ pattern }), pattern).toEqual(["pattern"]);
  });

  it("returns at once where a backtracking engine would not", () => {
    expect(isValid({ pattern: "^(a+)+$" }, `${"a".repeat(50_000)}!`)).toBe(false);
  });

  it("has the semantics of JavaScript with the u flag", () => {
    const patterns = [
      "^.$",
      "^\\s$",
      "^\\S$",
      "^\\d$",
      "^\\w+$",
      "^\\cA$",
      "^\\u{1F600}$",
      "^\\ud83d\\ude00$",
      "^[^]$",
      "^[]$",
      "a$",
      "^\\p{Lu}$",
      "^[^\\W_]$",
      "^\\P{L}$",
      "\\bfoo\\b",
      "^\\/$",
      "^[\\b]$",
      "^\\p{Script=Greek}+$",
    ];
    const texts = [
      "",
      "a",
      "a\n",
      "\n",
      "\u2028",
      "\u00a0",
      "\ufeff",
      "\u0001",
      "😀",
      "٣",
      "É",
      "_",
      "7",
      "foo",
      "foobar",
      "/",
      "\b",
      "αβ",
      "\ud83d",
    ];
    for (const pattern of patterns) {
      for (const text of texts) {
        expect(isValid({ pattern }, text), `${pattern} on ${JSON.stringify(text)}`).toBe(
          new RegExp(pattern, "u").test(text),
        );
      }
    }
  });

  it("is independent of other patterns in the schema", () => {
    const schema = { properties: { a: { pattern: "^a$" }, b: { pattern: "^b$" } } };
    expect(reasons(schema, { a: "b", b: "a" })).toHaveLength(2);
  });
});

describe("a format", () => {
  it("is asserted for values of its type", () => {
    const valid = {
      date: "2024-02-29",
      time: "23:59:60Z",
      duration: "P1DT2H",
      email: "a@b.example",
      "idn-hostname": "실례.테스트",
      iri: "http://ƒøø.ßår/",
      ipv6: "::1",
      uuid: "2eb8aa08-aa98-11ea-b4aa-73b441d16380",
      url: "http://u:p@example.com/a b".replace(" ", "@"),
      regex: "^a$",
      int32: 5,
    };
    const invalid = {
      date: "2023-02-29",
      time: "23:58:60Z",
      duration: "P1D2H",
      email: "a@",
      "idn-hostname": "-a",
      iri: "http://[",
      ipv6: "1",
      uuid: "2eb8aa08",
      url: "http://localhost",
      regex: "\\Z",
      int32: 2 ** 31,
    };
    for (const [format, value] of Object.entries(valid))
      expect(isValid({ format }, value), format).toBe(true);
    for (const [format, value] of Object.entries(invalid))
      expect(isValid({ format }, value), format).toBe(false);
    expect(isValid({ format: "date" }, 1) && isValid({ format: "int32" }, "x")).toBe(true);
  });

  it("is checked quickly for any text", () => {
    const starts = ["", "http://", "a@", "P", "2020-01-01T", "//", "/", "{"];
    const units = ["a", "0", ":", ".", "a.", "a-", "/", "%20", "{a}", "@", "a:", "::", "(", "1Y", "é"];
    const known = checkSchema({ format: "?" })[0]?.message.match(/supported formats: (.*)/)?.[1] ?? "";
    const names = [...known.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
    expect(names).toHaveLength(30);
    for (const format of names) {
      const validate = compileSchema({ format });
      for (const start of starts) {
        for (const unit of units) {
          const text = `${start}${unit.repeat(65_536 / unit.length)}!`;
          const before = performance.now();
          validate(text);
          expect(performance.now() - before, `${format} on ${start}${unit}…`).toBeLessThan(5_000);
        }
      }
    }
  });
});

describe("the errors of a payload", () => {
  it("name the expected value", () => {
    const schema = {
      type: "object",
      properties: { kind: { enum: ["a", "b"] }, version: { const: 2 }, at: { format: "date" } },
      required: ["kind"],
      additionalProperties: false,
    };
    expect(reasons(schema, { version: 1, other: 1, at: "soon" })).toEqual([
      { instancePath: "", keyword: "required", message: 'must have the property "kind"' },
      { instancePath: "/version", keyword: "const", message: "must be 2" },
      { instancePath: "/at", keyword: "format", message: "must be a valid date" },
      {
        instancePath: "",
        keyword: "additionalProperties",
        message: 'must not have the property "other"; allowed properties: "kind", "version", "at"',
      },
    ]);
    expect(reasons(schema, { kind: "c" })[0]?.message).toBe('must be one of "a", "b"');
  });

  it("count only own properties of the payload", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    expect(reasons({ required: names }, {})).toHaveLength(4);
    const schema = JSON.parse(
      '{"properties": {"__proto__": {"type": "string"}}, "additionalProperties": false}',
    );
    expect(checkSchema(schema)).toEqual([]);
    expect(isValid(schema, JSON.parse('{"__proto__": "x"}'))).toBe(true);
    expect(reasons(schema, JSON.parse('{"__proto__": 1, "constructor": 2}'))).toHaveLength(2);
  });

  it("are limited to a hundred", () => {
    const schema = { items: { allOf: Array.from({ length: 100 }, () => ({ type: "string" })) } };
    expect(
      reasons(
        schema,
        Array.from({ length: 5_000 }, () => 1),
      ),
    ).toHaveLength(100);
  });

  it("are limited to 64 Ki characters, although a path can be as long as the payload", () => {
    const validate = compileSchema({ additionalProperties: { items: { type: "string" } } });
    const reasonsOf = (name: string) => validate({ [name]: Array(200).fill(1) });
    expect(reasonsOf("~".repeat(100_000))).toMatchObject([
      { instancePath: expect.stringMatching(/^\/(~0)+\/0$/) },
    ]);
    expect(reasonsOf("n".repeat(1_000)).length).toBeGreaterThan(50);
    expect(reasonsOf("n".repeat(1_000)).length).toBeLessThan(70);
    const anyOf = Array(200).fill({ type: "nonsense" });
    expect(checkSchema({ properties: { ["n".repeat(20_000)]: { anyOf } } }).length).toBeLessThan(5);
  });

  it("contain no half of a character", () => {
    const [reason] = compileSchema({ additionalProperties: false })({ ["😀".repeat(200)]: 1 });
    expect(reason!.message).toContain("😀…");
    expect(reason!.message).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });

  it("locate the error by a JSON Pointer", () => {
    const schema = { properties: { "a/b~c": { items: { type: "string" } } } };
    expect(reasons(schema, { "a/b~c": ["x", 1] })[0]?.instancePath).toBe("/a~1b~0c/1");
  });
});

describe("a reason", () => {
  it("of a payload is given once, however many references lead to it", () => {
    const $defs = { a: { required: ["x"] }, b: { required: ["x"], properties: { y: { type: "string" } } } };
    const schema = { allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }], $defs };
    expect(reasons(schema, { y: 1 }).map(({ keyword }) => keyword)).toEqual(["required", "type"]);
  });

  it("is given for each property name that a schema of names rejects", () => {
    const schema = { propertyNames: { pattern: "^a", maxLength: 3 } };
    expect(reasons(schema, { b: 1, abcd: 1 }).map(({ keyword }) => keyword)).toEqual([
      ...["propertyNames", "pattern", "propertyNames", "maxLength"],
    ]);
  });

  it.each([
    { allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a", unevaluatedProperties: false }] },
    {
      allOf: [{ $ref: "#/$defs/a" }, { properties: { x: { type: "string" } }, unevaluatedProperties: false }],
    },
  ])("that is given already does not make a property unevaluated: %#", (schema) => {
    const $defs = { a: { properties: { x: { type: "string" } } } };
    expect(reasons({ ...schema, $defs }, { x: 1 })).toMatchObject([{ instancePath: "/x", keyword: "type" }]);
  });

  it("of a tuple of an older draft names prefixItems, and hides no other reason", () => {
    const tuples = Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`t${i}`, { items: [{}] }]));
    const found = checkSchema({ properties: { ...tuples, items: [1], last: { minimum: "3" } } });
    expect(found).toHaveLength(15);
    expect(found.find(({ instancePath }) => instancePath === "/properties/t0/items")?.message).toBe(
      'must be one schema, not an array; use "prefixItems" for a tuple, and "items" for the rest',
    );
    // A property that is called "items" is not the keyword.
    const named = found.find(({ instancePath }) => instancePath === "/properties/items");
    expect(named?.message).toBe("must be object or boolean, not array");
    expect(found.at(-1)).toMatchObject({ instancePath: "/properties/last/minimum", keyword: "type" });
  });

  it.each([
    [{ id: "https://example.com/a" }, '"$id"'],
    [{ additionalItems: false }, '"prefixItems"'],
    [{ $recursiveRef: "#" }, '"$dynamicRef"'],
    [{ type: "string", nullable: true }, '"null" in "type"'],
    [{ minimum: 1, exclusiveMinimum: true }, 'instead of in "minimum"'],
  ])("of a keyword of an older draft names what replaces it: %j", (schema, replacement) => {
    expect(checkSchema(schema).map(({ message }) => message)).toEqual([expect.stringContaining(replacement)]);
  });
});

describe("the validation under a slow schema", () => {
  const doubling = (depth: number): JsonObject => {
    const $defs: JsonObject = { d0: { type: "integer" } };
    for (let i = 1; i <= depth; i++) {
      const $ref = `#/$defs/d${i - 1}`;
      $defs[`d${i}`] = { anyOf: [{ $ref }, { $ref }] };
    }
    return { $ref: `#/$defs/d${depth}`, $defs };
  };

  it("validates doubling references once for each value", () => {
    for (const depth of [22, 40]) {
      expect(checkSchema(doubling(depth))).toEqual([]);
      expect(isValid(doubling(depth), 1)).toBe(true);
      expect(reasons(doubling(depth), "x").map(({ keyword }) => keyword)).toEqual(["anyOf", "type"]);
    }
  });

  it("finds duplicates among thousands of objects", () => {
    const items = Array.from({ length: 8_000 }, (_, i) => ({ a: i, b: [i] }));
    expect(isValid({ uniqueItems: true }, items)).toBe(true);
    expect(isValid({ uniqueItems: true }, [...items, { b: [5], a: 5 }])).toBe(false);
  });

  it("never throws if payload and schema are nested deeply", () => {
    const $defs: JsonObject = { d90: { items: { $ref: "#/$defs/d0" } } };
    for (let i = 0; i < 90; i++) $defs[`d${i}`] = { $ref: `#/$defs/d${i + 1}` };
    const schema = { $ref: "#/$defs/d0", $defs };
    let payload: unknown = [];
    for (let i = 0; i < 2_000; i++) payload = [payload];
    expect(checkSchema(schema)).toEqual([]);
    expect(reasons(schema, payload).map(({ keyword }) => keyword)).toEqual(["depth"]);
  });

  it("compares numbers by their text", () => {
    expect(isValid({ multipleOf: 0.0001 }, 0.0075)).toBe(true);
    expect(isValid({ multipleOf: 0.1 }, 0.35)).toBe(false);
    expect(isValid({ multipleOf: 1e-300 }, 1e300)).toBe(true);
    expect(isValid({ type: "number" }, Number.POSITIVE_INFINITY)).toBe(false);
  });
});
