import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findBreakingChanges, type JsonSchema } from "../../src/domain/compatibility/index.js";
import { checkSchema, compileSchema, type JsonObject } from "../../src/domain/json-schema/index.js";
import { HOSTILE } from "./compatibility-hostile.js";
import { allKeywordsPair, INSTANCES, pair, suggested, value } from "./compatibility-pairs.js";
import { BREAKING, COMPATIBLE, REFUSED_THOUGH_COMPATIBLE } from "./compatibility-rules.js";

describe("a new version of a schema is accepted if", () => {
  it.each(COMPATIBLE)("%s", (_, older, newer) => {
    expect(findBreakingChanges(older, newer)).toEqual([]);
  });
});

describe("a new version of a schema is refused although it is compatible if", () => {
  it.each(REFUSED_THOUGH_COMPATIBLE)("%s", (_, older, newer) => {
    expect(findBreakingChanges(older, newer)).not.toEqual([]);
  });
});

describe("a new version of a schema is rejected with the position of the change if", () => {
  it.each(BREAKING)("%s", (_, older, newer, ...where) => {
    const reasons = findBreakingChanges(older, newer);
    expect(reasons.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)).toEqual(where);
    for (const { message } of reasons) expect(message).toMatch(/; /);
  });
});

it("names each property that a closed object no longer has", () => {
  const closed = (...names: string[]) => ({
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    additionalProperties: false,
  });
  const reasons = findBreakingChanges(closed("text", "cost", "unit"), closed("text"));
  const named = reasons.map(({ instancePath, message }) => `${instancePath} ${/"\w+"/.exec(message!)?.[0]}`);
  expect(named.sort()).toEqual(['/additionalProperties "cost"', '/additionalProperties "unit"']);
});

/**
 * The extension pattern: a tree whose items another resource of the document extends through a `$dynamicRef`.
 */
const extensible = (more: object = {}, extension: object = { maxProperties: 3 }): JsonSchema => ({
  $id: "https://example.com/strict",
  $dynamicAnchor: "node",
  $ref: "tree",
  ...extension,
  $defs: {
    tree: {
      $id: "https://example.com/tree",
      $dynamicAnchor: "node",
      type: "object",
      properties: { children: { type: "array", items: { $dynamicRef: "#node" } } },
      ...more,
    },
  },
});

describe("a schema with a $dynamicRef that has several possible targets", () => {
  it("is compatible with a version that is equal but for annotations and the order of keys", () => {
    const older = extensible({ title: "a tree", required: ["children"] });
    const newer = extensible({
      required: ["children"],
      description: "more",
      examples: [1],
      deprecated: true,
    });
    expect(findBreakingChanges(older, newer)).toEqual([]);
    expect(findBreakingChanges(older, Object.fromEntries(Object.entries(older).reverse()))).toEqual([]);
  });

  it("is refused with the keyword that changed, and the reference, but no unchanged assertion", () => {
    const where = (older: JsonSchema, newer: JsonSchema) =>
      findBreakingChanges(older, newer).map(({ instancePath }) => instancePath);
    const reference = "/$defs/tree/properties/children/items/$dynamicRef";
    expect(where(extensible(), extensible({}, { maxProperties: 2 }))).toEqual(["/maxProperties", reference]);
    expect(where(extensible(), extensible({}, { maxProperties: 9 }))).toEqual([reference]);
  });
});

it.each(["title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly"])(
  "a change of %s is compatible at any place, and a property with that name is no annotation",
  (keyword) => {
    const value = { examples: [[1], [2]], deprecated: [true, false] }[keyword] ?? ["one", "two"];
    const schema = (annotation: unknown): JsonSchema => {
      const leaf = { type: "string", [keyword]: annotation };
      return {
        [keyword]: annotation,
        properties: { [keyword]: leaf, __proto__: {} },
        patternProperties: { "^x": leaf },
        dependencies: { a: leaf, b: ["c"] },
        contentSchema: leaf,
        items: { oneOf: [leaf, { const: { [keyword]: 1 } }] },
        unevaluatedProperties: { not: leaf },
        if: leaf,
        else: { $dynamicRef: "#d" },
        $defs: { d: { $dynamicAnchor: "d", ...leaf }, e: { $id: "e", $dynamicAnchor: "d", ...leaf } },
      };
    };
    expect(findBreakingChanges(schema(value[0]), schema(value[1]))).toEqual([]);
    const constant = (one: unknown) => ({ const: { [keyword]: one } });
    expect(findBreakingChanges(constant(1), constant(2))).not.toEqual([]);
    const property = (type: string) => ({ properties: { [keyword]: { type } } });
    expect(findBreakingChanges(property("string"), property("number"))).not.toEqual([]);
  },
);

describe("the comparison of random pairs", () => {
  /**
   * Returns the validator's verdict, or undefined if the validator throws, as it does for some schemas that
   * track evaluated properties.
   */
  const validator = (schema: JsonSchema) => {
    const validate = new Ajv2020({ strict: false, ownProperties: true, validateSchema: false }).compile(
      schema as object,
    );
    return (value: unknown) => {
      try {
        return validate(value);
      } catch {
        return undefined;
      }
    };
  };

  it("never accepts a pair with a counterexample", () => {
    let accepted = 0;
    const check = ([older, newer]: [JsonSchema, JsonSchema]) => {
      if (findBreakingChanges(older, newer).length > 0) return;
      accepted++;
      const [before, after] = [validator(older), validator(newer)];
      const witness = [...INSTANCES, ...suggested([older, newer])].find(
        (value) => before(value) && !after(value),
      );
      expect(witness).toBeUndefined();
    };
    fc.assert(fc.property(pair, check), { seed: 20, numRuns: 400 });
    expect(accepted).toBeGreaterThan(100);
  });

  it("never accepts a pair of schemas with all keywords if the validator of the service finds a counterexample", () => {
    let accepted = 0;
    const check = ([older, newer]: [JsonObject, JsonObject], generated: unknown[]) => {
      fc.pre(checkSchema(older).length === 0 && checkSchema(newer).length === 0);
      if (findBreakingChanges(older, newer).length > 0) return;
      accepted++;
      const [before, after] = [compileSchema(older), compileSchema(newer)];
      const witness = [...INSTANCES, ...suggested([older, newer]), ...generated].find(
        (one) => before(one).length === 0 && after(one).length > 0,
      );
      expect(witness).toBeUndefined();
    };
    const generated = fc.array(value, { minLength: 100, maxLength: 100 });
    fc.assert(fc.property(allKeywordsPair, generated, check), { seed: 22, numRuns: 400 });
    expect(accepted).toBeGreaterThan(100);
  });

  it("accepts an unchanged schema, and a schema that accepts every value", () => {
    const check = ([older]: [JsonSchema, JsonSchema]) => {
      expect(findBreakingChanges(older, structuredClone(older))).toEqual([]);
      expect(findBreakingChanges(older, { anyOf: [older, { type: "string" }] })).toEqual([]);
      expect(findBreakingChanges(older, true)).toEqual([]);
      expect(findBreakingChanges(false, older)).toEqual([]);
    };
    fc.assert(fc.property(pair, check), { seed: 21, numRuns: 150 });
  });
});

describe("the comparison of hostile schemas", () => {
  it.each(HOSTILE)("with %s stays within the limits", (_, older, newer) => {
    const start = performance.now();
    for (const [from, to] of [
      [older, newer],
      [newer, older],
      [true, newer],
      [newer, { type: "string" }],
    ] as const) {
      for (const reason of findBreakingChanges(from, to)) expect(reason.message).toMatch(/; /);
    }
    expect(performance.now() - start).toBeLessThan(40_000);
  });
});
