/** Pairs of schemas that make a comparison expensive, although each is small enough to be registered. */

import type { JsonSchema } from "../../src/domain/compatibility/index.js";

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const entries = (count: number, entry: (index: number) => [string, unknown]) =>
  Object.fromEntries(range(count).map(entry));

/** Returns definitions of which each references the previous one twice: 2^40 subschemas when expanded. */
function doubling(
  use: (ref: (index: number) => object, index: number) => JsonSchema,
  leaf: JsonSchema,
): JsonSchema {
  const ref = (index: number) => ({ $ref: `#/$defs/d${index}` });
  const $defs = entries(41, (index) => [`d${index}`, index === 0 ? leaf : use(ref, index)]);
  return { ...ref(40), $defs };
}

const branches = (keyword: string) => (leaf: JsonSchema) =>
  doubling((ref, i) => ({ [keyword]: [ref(i - 1), { ...ref(i - 1), minLength: i % 7 }] }), leaf);

function nested(depth: number, keyword: string, leaf: JsonSchema): JsonSchema {
  return range(depth).reduce<JsonSchema>((inner) => ({ [keyword]: inner }), leaf);
}

/**
 * Returns nested arrays that refer back to the start after `period` levels, each behind a chain of
 * references.
 */
function cycle(period: number, links: number, leaf: object): JsonSchema {
  const step = (i: number) => ({
    anyOf: [{ items: { $ref: `#/$defs/d${(i + 1) % (period * links)}` } }, leaf],
  });
  const $defs = entries(period * links, (i) => [
    `d${i}`,
    (i + 1) % links === 0 ? step(i) : { allOf: [{ $ref: `#/$defs/d${i + 1}` }] },
  ]);
  return { $ref: "#/$defs/d0", $defs };
}

const tagged = (count: number, maxLength: number): JsonSchema => ({
  oneOf: range(count).map((i) => ({
    properties: { kind: { const: i }, text: { maxLength } },
    required: ["kind"],
  })),
});

const clauses = (shift: number): JsonSchema => ({
  allOf: range(150).map((i) => ({
    anyOf: range(3).map((k) => {
      const has = { required: [`v${(i * 7 + k * 13 + i * k + shift) % 30}`] };
      return (i + k) % 2 ? has : { not: has };
    }),
  })),
});

/** Name, older schema and newer schema of each pair. */
export const HOSTILE: [string, JsonSchema, JsonSchema][] = [
  [
    "doubling anyOf",
    branches("anyOf")({ type: "string" }),
    branches("anyOf")({ type: "string", maxLength: 9 }),
  ],
  [
    "doubling allOf",
    branches("allOf")({ type: "string" }),
    branches("allOf")({ type: "string", maxLength: 9 }),
  ],
  [
    "doubling oneOf",
    branches("oneOf")({ type: "string" }),
    branches("oneOf")({ type: "string", maxLength: 9 }),
  ],
  [
    "doubling properties",
    doubling((ref, i) => ({ properties: { a: ref(i - 1), b: ref(i - 1) } }), { maxLength: 1 }),
    doubling((ref, i) => ({ properties: { a: ref(i - 1), b: ref(i - 1) } }), { maxLength: 2 }),
  ],
  ["references to themselves", { $ref: "#", maxLength: 1 }, { anyOf: [{ $ref: "#" }, { type: "string" }] }],
  ["a paradox", { type: "string" }, { not: { $ref: "#" } }],
  ["1,000 levels of not", nested(1000, "not", { maxLength: 1 }), nested(1000, "not", { maxLength: 2 })],
  ["1,000 levels of items", nested(1000, "items", { maxLength: 1 }), nested(1000, "items", { maxLength: 2 })],
  ["390 levels of items", nested(390, "items", { maxLength: 1 }), nested(390, "items", { maxLength: 2 })],
  [
    "390 levels of contains",
    nested(390, "contains", { maxLength: 1 }),
    nested(390, "contains", { maxLength: 2 }),
  ],
  [
    "cycles of 13 and 17 levels",
    cycle(13, 40, { type: "string" }),
    cycle(17, 40, { type: ["string", "null"] }),
  ],
  [
    "30,000 levels of a constant",
    { const: range(30_000).reduce<unknown>((inner) => [inner], 0) },
    { type: "array" },
  ],
  [
    "700 properties",
    { properties: entries(700, (i) => [`name${i}`, { minimum: i }]) },
    { properties: entries(700, (i) => [`name${i}`, { minimum: i + 1 }]) },
  ],
  ["3,000 values", { enum: range(3000).map((i) => `v${i}`) }, { enum: range(2999).map((i) => `v${i}`) }],
  ["150 branches", tagged(150, 3), tagged(151, 4)],
  ["150 clauses", clauses(0), clauses(1)],
  [
    "200 patterns",
    { patternProperties: entries(200, (i) => [`^a{${i}}b*$`, { maxLength: 3 }]) },
    { patternProperties: entries(200, (i) => [`^a{${i}}b*$`, { maxLength: 4 }]) },
  ],
  ["extreme numbers", { multipleOf: 5e-324, minimum: -1e308 }, { multipleOf: 1e308, maximum: 1e-300 }],
  [
    "huge counts",
    { minItems: 1e15, uniqueItems: true, items: { enum: [1, 2] } },
    { contains: { type: "string" }, minContains: 1e15, maxContains: 1e16 },
  ],
];
