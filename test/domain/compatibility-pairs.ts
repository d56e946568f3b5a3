/**
 * Arbitraries for property-based tests: a random schema, a second one made from it by small edits, and
 * instances to validate.
 */

import fc from "fast-check";
import type { JsonSchema } from "../../src/domain/compatibility/index.js";

type Part = Record<string, unknown>;

const NAMES = ["a", "b", "ab", "foo"];
const PATTERNS = ["^a", "a", "^a+$", "b$", "^[a-c]*$", "^.{2}$", "^$", "^(a|b)$", "[0-9]"];
const TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"];
const SCALARS = [null, true, false, 0, 1, 2, 3, -1, 0.5, 1.5, 4, 6, "", "a", "b", "ab", "abc", "foo", "1"];

/** Returns a schema with if, then and else. */
export function conditional(condition: JsonSchema, consequence: JsonSchema, alternative: JsonSchema): Part {
  const branch = ["then", "else"] as const;
  return { if: condition, [branch[0]]: consequence, [branch[1]]: alternative };
}

const name = fc.constantFrom(...NAMES);
const size = fc.integer({ min: 0, max: 4 });
const number = fc.constantFrom(-1, 0, 1, 1.5, 2, 3, 4, 6);

export const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.constantFrom(...SCALARS),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(name, tie("any"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).any;

const keyword = (word: string, of: fc.Arbitrary<unknown>): fc.Arbitrary<Part> =>
  of.map((part) => ({ [word]: part }));

const simple: fc.Arbitrary<Part> = fc.oneof(
  keyword("type", fc.constantFrom(...TYPES)),
  keyword("type", fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 })),
  keyword("const", value),
  keyword(
    "enum",
    fc.uniqueArray(value, { minLength: 1, maxLength: 4, selector: (part) => JSON.stringify(part) }),
  ),
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((word) => keyword(word, number)),
  keyword("multipleOf", fc.constantFrom(0.5, 1, 1.5, 2, 3, 4, 6)),
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map((word) =>
    keyword(word, size),
  ),
  keyword("pattern", fc.constantFrom(...PATTERNS)),
  keyword("uniqueItems", fc.boolean()),
  keyword("required", fc.uniqueArray(name, { maxLength: 2 })),
  keyword(
    "dependentRequired",
    fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 1, noNullPrototype: true }),
  ),
);

/** Adds keywords to the vocabulary of the schemas. */
type MoreParts = (schema: fc.Arbitrary<JsonSchema>) => fc.Arbitrary<Part>[];

const schemasWith = (more: MoreParts) =>
  fc.letrec<{ schema: JsonSchema; part: Part }>((tie) => {
    const some = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
    return {
      schema: fc.oneof(
        { maxDepth: 3 },
        { weight: 1, arbitrary: fc.boolean() },
        { weight: 6, arbitrary: fc.array(simple, { minLength: 1, maxLength: 3 }).map(merge) },
        { weight: 8, arbitrary: fc.array(tie("part"), { minLength: 1, maxLength: 3 }).map(merge) },
      ),
      part: fc.oneof(
        { weight: 3, arbitrary: simple },
        ...["allOf", "anyOf", "oneOf"].map((word) => keyword(word, some)),
        ...["not", "items", "additionalProperties", "propertyNames", "unevaluatedProperties"].map((word) =>
          keyword(word, tie("schema")),
        ),
        fc.tuple(tie("schema"), tie("schema"), tie("schema")).map(([a, b, c]) => conditional(a, b, c)),
        keyword("prefixItems", some),
        keyword(
          "properties",
          fc.dictionary(name, tie("schema"), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
        ),
        keyword(
          "dependentSchemas",
          fc.dictionary(name, tie("schema"), { minKeys: 1, maxKeys: 1, noNullPrototype: true }),
        ),
        keyword(
          "patternProperties",
          fc.dictionary(fc.constantFrom(...PATTERNS), tie("schema"), { maxKeys: 2, noNullPrototype: true }),
        ),
        ...more(tie("schema") as fc.Arbitrary<JsonSchema>),
      ),
    };
  }).schema as fc.Arbitrary<JsonSchema>;

/**
 * Schemas with a small vocabulary. They omit parts in which Ajv has errors: `contains` below other keywords,
 * `unevaluatedItems` beside branches, and the empty name in `required`.
 */
export const schema = schemasWith(() => []);

const REFERENCES = ["#/$defs/one", "#/$defs/two"];

/** Schemas with all keywords. */
const anySchema = schemasWith((part) => [
  keyword("unevaluatedItems", part),
  keyword("format", fc.constantFrom("date", "email", "int32", "int64")),
  keyword("$ref", fc.constantFrom(...REFERENCES)),
  fc.tuple(part, size, size).map(([contains, minContains, more]) => ({
    contains,
    minContains,
    maxContains: minContains + more,
  })),
  keyword(
    "dependencies",
    fc.dictionary(name, fc.oneof(part, fc.uniqueArray(name, { maxLength: 2 })), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
  ),
]);

function merge(parts: Part[]): Part {
  return Object.assign({}, ...parts);
}

/** An edit of the nth subschema. */
interface Edit {
  at: number;
  kind: "drop" | "add" | "more" | "less" | "wrap" | "loosen";
  with: JsonSchema;
}

/** A schema and an edited version of it, in either order. */
function pairOf(of: fc.Arbitrary<JsonSchema>): fc.Arbitrary<[JsonSchema, JsonSchema]> {
  const edit: fc.Arbitrary<Edit> = fc.record({
    at: fc.nat(20),
    kind: fc.constantFrom("drop", "add", "more", "less", "wrap", "loosen"),
    with: of,
  });
  return fc
    .tuple(of, fc.array(edit, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([older, edits, swapped]) => {
      const newer = edits.reduce(apply, older);
      return swapped ? [newer, older] : [older, newer];
    });
}

export const pair = pairOf(schema);

/** Documents with definitions. Some cannot be registered, such as those with a circular reference. */
export const allKeywordsPair = fc
  .tuple(pairOf(anySchema), fc.tuple(anySchema, anySchema), fc.tuple(anySchema, anySchema), fc.boolean())
  .map(([[older, newer], before, after, isChanged]): [Part, Part] => {
    const document = (root: JsonSchema, [one, two]: [JsonSchema, JsonSchema]) => ({
      ...(typeof root === "object" ? root : { allOf: [root] }),
      $defs: { one, two },
    });
    return [document(older, before), document(newer, isChanged ? after : before)];
  });

function apply(before: JsonSchema, { at, kind, with: other }: Edit): JsonSchema {
  const after = structuredClone(before);
  const parts = subschemas(after);
  const part = parts[at % Math.max(parts.length, 1)];
  if (part === undefined) return other;
  const words = Object.keys(part);
  const word = words[at % Math.max(words.length, 1)] ?? "title";
  if (kind === "drop") delete part[word];
  if (kind === "add") Object.assign(part, other);
  if (kind === "more" || kind === "less") nudge(part, word, kind === "more" ? 1 : -1);
  if (kind === "wrap") wrap(part, at, other);
  if (kind === "loosen") wrap(part, 0, other);
  return after;
}

function nudge(part: Part, word: string, by: number): void {
  const bound = part[word];
  const counts = /^(min|max)[A-Z]/.test(word);
  if (typeof bound === "number" && word !== "const" && word !== "multipleOf") {
    part[word] = counts ? Math.max(0, bound + by) : bound + by;
  } else if (Array.isArray(bound) && bound.length > 1) {
    bound.pop();
  }
}

/** Replaces a part by an equivalent or nearly equivalent one. */
function wrap(part: Part, at: number, other: JsonSchema): void {
  const inner = { ...part };
  for (const word of Object.keys(part)) delete part[word];
  const forms: Part[] = [
    { anyOf: [inner, other] },
    { allOf: [inner] },
    { not: { not: inner } },
    { oneOf: [inner, { allOf: [other, { not: inner }] }] },
    conditional(other, inner, inner),
    { anyOf: [{ allOf: [inner, other] }, { allOf: [inner, { not: other }] }] },
  ];
  Object.assign(part, forms[at % forms.length]);
}

function subschemas(value: unknown, found: Part[] = []): Part[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return found;
  const part = value as Part;
  found.push(part);
  const single = [
    "not",
    "if",
    "then",
    "else",
    "items",
    "additionalProperties",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
  ];
  for (const word of single) subschemas(part[word], found);
  for (const word of ["allOf", "anyOf", "oneOf", "prefixItems"]) {
    for (const inner of (part[word] as unknown[] | undefined) ?? []) subschemas(inner, found);
  }
  for (const word of ["properties", "patternProperties", "dependentSchemas", "$defs"]) {
    for (const inner of Object.values((part[word] as Part | undefined) ?? {})) subschemas(inner, found);
  }
  return found;
}

/** Fixed instances with the same vocabulary, including edge cases. */
export const INSTANCES: unknown[] = [
  ...fc.sample(value, { numRuns: 500, seed: 7 }),
  ...SCALARS.flatMap((part) => [
    part,
    [part],
    [part, part],
    { a: part },
    { a: part, b: part },
    { foo: [part] },
  ]),
  ...[
    -0.5,
    0.25,
    2.5,
    5,
    7,
    12,
    1e300,
    "aa",
    "b1",
    "😀",
    "a😀",
    "\n",
    [1, 2, 3, 4, 5],
    ["a", "b", "ab", "foo"],
  ],
  ...[{ a: 1, b: 2, ab: 3, foo: 4 }, { "": 0 }, { c: 0 }, { 1: "a" }, { a: { a: { a: 1 } } }, [[[1]]]],
];

/** Returns instances made from the constants in a pair of schemas. */
export function suggested(schemas: JsonSchema[]): unknown[] {
  return schemas
    .flatMap((part) => subschemas(part))
    .flatMap((part) => {
      const bounds = [part.minimum, part.maximum, part.exclusiveMinimum, part.exclusiveMaximum];
      const near = bounds.flatMap((bound) =>
        typeof bound === "number" ? [bound, bound + 1, bound - 0.5] : [],
      );
      return [...near, ...((part.enum as unknown[]) ?? []), ...("const" in part ? [part.const] : [])];
    });
}
