/** The rules of compatibility: a sentence and a pair of schemas for each rule. */

import type { JsonSchema } from "../../src/domain/compatibility/index.js";
import { conditional } from "./compatibility-pairs.js";

const object = (properties: object, more: object = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});
const closed = (properties: object, more: object = {}) =>
  object(properties, { additionalProperties: false, ...more });
const kind = (name: string, more: object = {}) =>
  object({ kind: { const: name }, ...more }, { required: ["kind"] }) as object;
const list = (value: JsonSchema) => ({ value, next: { anyOf: [{ $ref: "#" }, { type: "null" }] } });

/** Sentence, older schema, newer schema. */
export const COMPATIBLE: [string, JsonSchema, JsonSchema][] = [
  ["nothing has changed", { type: "string" }, { type: "string" }],
  [
    "only annotations have",
    { title: "a", description: "b" },
    { title: "c", $comment: "d", default: 1, examples: [2] },
  ],
  ["every value is accepted", { type: "string" }, true],
  ["the old version accepts no value", false, { type: "string" }],
  ["the old version is contradictory", { type: "number", minimum: 3, maximum: 2 }, { type: "string" }],
  ["an integer becomes a number", { type: "integer" }, { type: "number" }],
  ["an integer was a number in steps of one", { type: "number", multipleOf: 1 }, { type: "integer" }],
  ["a type is added", { type: "string" }, { type: ["string", "null"] }],
  [
    "types are written as branches",
    { type: ["string", "null"] },
    { anyOf: [{ type: "null" }, { type: "string" }] },
  ],
  ["a bound is loosened", { minimum: 2, maximum: 5 }, { minimum: 1, exclusiveMaximum: 6 }],
  [
    "an exclusive bound on integers is written differently",
    { type: "integer", exclusiveMinimum: 1 },
    { minimum: 2 },
  ],
  ["steps are made finer", { multipleOf: 6 }, { multipleOf: 3 }],
  ["decimal steps are halved", { multipleOf: 0.2 }, { multipleOf: 0.1 }],
  ["two steps amount to one", { allOf: [{ multipleOf: 4 }, { multipleOf: 6 }] }, { multipleOf: 12 }],
  ["a length is loosened", { minLength: 2, maxLength: 3 }, { minLength: 1, maxLength: 4 }],
  ["a format stays", { type: "string", format: "date", maxLength: 10 }, { format: "date" }],
  [
    "a format is dropped",
    { format: "email" },
    { type: ["string", "number", "object", "array", "boolean", "null"] },
  ],
  ["an enum grows", { enum: ["a", "b"] }, { enum: ["b", "a", "c"] }],
  [
    "the values of an enum fit the rules",
    { enum: ["ab", "abc"] },
    { type: "string", pattern: "^ab", maxLength: 3 },
  ],
  ["an enum and a type leave a few values", { type: "string", enum: ["a", 1] }, { const: "a" }],
  ["a range of integers is an enum", { type: "integer", minimum: 1, maximum: 3 }, { enum: [1, 2, 3] }],
  [
    "a property is no longer required",
    object({ a: true }, { required: ["a", "b"] }),
    object({ a: true }, { required: ["b"] }),
  ],
  [
    "an optional property is added to a closed object",
    closed({ a: true }),
    closed({ a: true, b: { type: "string" } }),
  ],
  ["a property is removed from an open object", object({ a: { type: "string" } }), object({})],
  ["an object is opened", closed({ a: true }), object({ a: true })],
  [
    "additional properties are named",
    { additionalProperties: { type: "string" } },
    { properties: { a: { type: "string" } } },
  ],
  ["a property without valid values is forbidden", object({ a: false }), object({ a: { not: {} } })],
  ["required properties imply a count", { type: "object", required: ["a", "b"] }, { minProperties: 2 }],
  ["a closed object implies a count", closed({ a: true, b: true }), { maxProperties: 2 }],
  [
    "a count implies a required property",
    closed({ a: true, b: true }, { minProperties: 2 }),
    { required: ["b"] },
  ],
  [
    "property names are written as an enum",
    { propertyNames: { enum: ["a"] } },
    { properties: { a: true }, additionalProperties: false },
  ],
  ["a dependency is dropped", { dependentRequired: { a: ["b", "c"] } }, { dependentRequired: { a: ["c"] } }],
  ["dependencies chain", { dependentRequired: { a: ["b"], b: ["c"] } }, { dependentRequired: { a: ["c"] } }],
  [
    "a dependent schema is loosened",
    { dependentSchemas: { a: { minProperties: 3 } } },
    { dependentSchemas: { a: { minProperties: 2 } } },
  ],
  ["items are loosened", { items: { type: "integer" } }, { items: { type: "number" } }],
  [
    "a tuple is opened",
    { prefixItems: [{ type: "string" }], items: false },
    { prefixItems: [{ type: "string" }] },
  ],
  ["a tuple implies a count", { type: "array", prefixItems: [true, true], items: false }, { maxItems: 2 }],
  [
    "unique items of few values imply a count",
    { items: { enum: [1, 2] }, uniqueItems: true },
    { maxItems: 2 },
  ],
  ["one item cannot repeat", { type: "array", maxItems: 1 }, { uniqueItems: true }],
  ["contains is loosened", { contains: { minimum: 5 }, minContains: 2 }, { contains: { minimum: 4 } }],
  [
    "maxContains is raised",
    { contains: { const: 1 }, maxContains: 2 },
    { contains: { const: 1 }, maxContains: 3 },
  ],
  [
    "a branch of anyOf is added",
    { anyOf: [{ type: "string" }] },
    { anyOf: [{ type: "string" }, { type: "null" }] },
  ],
  [
    "a branch of allOf is removed",
    { allOf: [{ minLength: 1 }, { maxLength: 3 }] },
    { allOf: [{ maxLength: 3 }] },
  ],
  [
    "a branch that excludes the others is added to oneOf",
    { oneOf: [kind("a"), kind("b")] },
    { oneOf: [kind("a"), kind("b"), kind("c")] },
  ],
  [
    "branches with a discriminating constant are loosened",
    { oneOf: [kind("a", { x: { maxLength: 1 } }), kind("b")] },
    { oneOf: [kind("b"), kind("a", { x: { maxLength: 2 } })] },
  ],
  [
    "several branches together cover the old one",
    object({ a: { enum: [1, 2] } }, { required: ["a"] }),
    { anyOf: [object({ a: { const: 1 } }), object({ a: { const: 2 } })] },
  ],
  ["not excludes less", { not: { type: ["string", "null"] } }, { not: { type: "string" } }],
  [
    "not is replaced by the remaining types",
    { not: { type: "string" } },
    { type: ["null", "boolean", "number", "array", "object"] },
  ],
  [
    "a condition is dropped",
    conditional({ minLength: 3 }, { pattern: "^a" }, true),
    { type: ["string", "number", "null", "boolean", "array", "object"] },
  ],
  [
    "both branches of a condition are loosened",
    conditional({ type: "string" }, { maxLength: 3 }, { minimum: 2 }),
    conditional({ type: "string" }, { maxLength: 4 }, { minimum: 1 }),
  ],
  [
    "unevaluatedProperties is replaced by additionalProperties",
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    { properties: { a: {} }, additionalProperties: false },
  ],
  [
    "unevaluatedItems is replaced by items",
    { allOf: [{ prefixItems: [true] }], unevaluatedItems: { type: "string" } },
    { prefixItems: [true], items: { type: "string" } },
  ],
  ["a definition is inlined", { $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, { type: "string" }],
  [
    "a definition moves to an anchor",
    { $ref: "#/$defs/a", $defs: { a: { type: "string" } } },
    { $ref: "#b", $defs: { x: { $anchor: "b", type: "string" } } },
  ],
  [
    "a definition moves to an identifier",
    { type: "string" },
    { $id: "http://example.com/a", $ref: "b", $defs: { x: { $id: "b", type: "string" } } },
  ],
  [
    "a keyword beside $ref is dropped",
    { $ref: "#/$defs/a", maxLength: 3, $defs: { a: { type: "string" } } },
    { $ref: "#/$defs/a", $defs: { a: { type: "string" } } },
  ],
  ["a recursive schema is loosened", object(list({ type: "integer" })), object(list({ type: "number" }))],
];

/** Compatible changes that no rule covers: sentence, older schema, newer schema. */
export const REFUSED_THOUGH_COMPATIBLE: [string, JsonSchema, JsonSchema][] = [
  ["a pattern is widened", { pattern: "^[a-f]+$" }, { pattern: "^[a-z]*$" }],
  [
    "every item satisfies contains",
    { type: "array", items: { const: 1 }, minItems: 2 },
    { contains: { const: 1 }, minContains: 2 },
  ],
  [
    "a branch evaluates a property",
    { const: { a: 1 } },
    { anyOf: [{ properties: { a: true } }], unevaluatedProperties: false },
  ],
  [
    "a pattern implies a length",
    { type: "string", pattern: "^\\d{4}-\\d{2}$" },
    { minLength: 7, maxLength: 7 },
  ],
  [
    "the items of a tuple differ by their types",
    { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false },
    { type: "array", uniqueItems: true },
  ],
];

/** Sentence, older schema, newer schema, and pointer and keyword of each reason. */
export const BREAKING: [string, JsonSchema, JsonSchema, ...string[]][] = [
  ["a type is removed", { type: ["string", "null"] }, { type: "string" }, "/type type"],
  ["a number becomes an integer", { type: "number" }, { type: "integer" }, "/type type"],
  ["a bound is tightened", { minimum: 1, maximum: 5 }, { minimum: 2, maximum: 5 }, "/minimum minimum"],
  [
    "a bound becomes exclusive",
    { minimum: 1 },
    { exclusiveMinimum: 1 },
    "/exclusiveMinimum exclusiveMinimum",
  ],
  ["steps are made coarser", { multipleOf: 2 }, { multipleOf: 4 }, "/multipleOf multipleOf"],
  [
    "decimal steps do not divide in doubles",
    { multipleOf: 0.03 },
    { multipleOf: 0.01 },
    "/multipleOf multipleOf",
  ],
  ["a length is tightened", { maxLength: 3 }, { maxLength: 2 }, "/maxLength maxLength"],
  ["a pattern is narrowed", { pattern: "^[a-z]+$" }, { pattern: "^[a-f]+$" }, "/pattern pattern"],
  ["a pattern is anchored", { pattern: "a" }, { pattern: "^a" }, "/pattern pattern"],
  ["a format is added", { type: "string" }, { type: "string", format: "date" }, "/format format"],
  ["a format changes", { format: "date" }, { format: "time" }, "/format format"],
  ["a format is only implied by an enum", { enum: ["x"] }, { format: "date" }, "/format format"],
  ["an enum shrinks", { enum: ["a", "b"] }, { enum: ["a"] }, "/enum enum"],
  ["an enum is added", { type: "string" }, { type: "string", enum: ["a"] }, "/enum enum"],
  [
    "a property becomes required",
    object({ a: true, b: true }, { required: ["a"] }),
    object({}, { required: ["a", "b"] }),
    "/required/1 required",
  ],
  ["an object is closed", object({ a: true }), closed({ a: true }), "/additionalProperties false schema"],
  [
    "a property is removed from a closed object",
    closed({ a: true, b: true }),
    closed({ a: true }),
    "/additionalProperties false schema",
  ],
  [
    "a property with a schema is added to an open object",
    object({}),
    object({ a: { type: "string", maxLength: 3 } }),
    "/properties/a properties",
  ],
  [
    "a property is tightened, deep down",
    object({ a: object({ "b/c": { maxLength: 3 } }) }),
    object({ a: object({ "b/c": { maxLength: 2 } }) }),
    "/properties/a/properties/b~1c/maxLength maxLength",
  ],
  [
    "two properties are tightened",
    object({ a: { maxLength: 3 }, b: { minimum: 1 } }),
    object({ a: { maxLength: 2 }, b: { minimum: 2 } }),
    "/properties/a/maxLength maxLength",
    "/properties/b/minimum minimum",
  ],
  [
    "property names are restricted",
    { propertyNames: { maxLength: 3 } },
    { propertyNames: { maxLength: 2 } },
    "/propertyNames propertyNames",
  ],
  ["a dependency is added", {}, { dependentRequired: { a: ["b"] } }, "/dependentRequired dependentRequired"],
  ["items are tightened", { items: { type: "number" } }, { items: { type: "integer" } }, "/items/type type"],
  [
    "a tuple is closed",
    { prefixItems: [true] },
    { prefixItems: [true], items: false },
    "/items false schema",
  ],
  [
    "items become unique",
    { type: "array" },
    { type: "array", uniqueItems: true },
    "/uniqueItems uniqueItems",
  ],
  ["contains is added", { type: "array" }, { contains: { type: "string" } }, "/contains contains"],
  [
    "a branch of anyOf is removed",
    { anyOf: [{ type: "string" }, { type: "null" }] },
    { anyOf: [{ type: "string" }] },
    "/anyOf anyOf",
  ],
  [
    "a branch that overlaps is added to oneOf",
    { oneOf: [{ type: "integer" }] },
    { oneOf: [{ type: "integer" }, { minimum: 5 }] },
    "/oneOf oneOf",
  ],
  ["not excludes more", { not: { type: "string" } }, { not: { type: ["string", "null"] } }, "/not not"],
  [
    "a branch of a condition is tightened",
    conditional({ type: "string" }, { maxLength: 3 }, true),
    conditional({ type: "string" }, { maxLength: 2 }, true),
    "/then/maxLength maxLength",
  ],
  [
    "a definition is tightened",
    { $ref: "#/$defs/a", $defs: { a: { maxLength: 3 } } },
    { $ref: "#/$defs/a", $defs: { a: { maxLength: 2 } } },
    "/$defs/a/maxLength maxLength",
  ],
  [
    "a recursive schema is tightened",
    object(list({ type: "number" })),
    object(list({ type: "integer" })),
    "/properties/value/type type",
    "/properties/next/anyOf anyOf",
  ],
  ["every value is rejected", { type: "string" }, false, " false schema"],
];
