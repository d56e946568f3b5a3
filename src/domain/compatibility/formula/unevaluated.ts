/**
 * Computes which properties and items are evaluated, for `unevaluatedProperties` and `unevaluatedItems` (JSON Schema
 * 2020-12 core, section 11). That depends on which subschemas hold, so the result is a list of disjoint and exhaustive cases.
 */

import { isObject } from "../json.js";
import { assertedKeywords, prefixLength, type SchemaNode } from "../schema/document.js";
import type { Formula } from "./formula.js";
import type { SchemaFormulas } from "./schema-formulas.js";

/** `evaluated` is the result where all of `when` hold. */
export interface Case<T> {
  when: Formula[];
  evaluated: T;
}

/** The operations on one kind of evaluated parts, properties or items. */
interface Kind<T> {
  /** The type of instance that has such parts. */
  type: "array" | "object";
  nothing: T;
  /** Parts that the schema's own keywords evaluate; undefined where unknown. `root`: the schema has the `unevaluated…` keyword. */
  own(node: SchemaNode, root: boolean): T | undefined;
  join(a: T, b: T): T;
}

const MAX_CASES = 32;
const MAX_DEPTH = 16;

/** The evaluated names, as a formula about names; undefined where unknown. */
export function evaluatedProperties(parts: SchemaFormulas, node: SchemaNode): Case<Formula>[] | undefined {
  const { formulas } = parts;
  return casesOf(parts, node, 0, {
    type: "object",
    nothing: formulas.false,
    own(at, root) {
      const schema = at.schema as Record<string, unknown>;
      const rest = "additionalProperties" in schema || (!root && "unevaluatedProperties" in schema);
      return rest ? formulas.true : parts.ownNames(at);
    },
    join: (a, b) => formulas.any([a, b]),
  });
}

/** The evaluated items: the first `count`, and those that `contains` finds. */
export interface Items {
  count: number;
  found: Formula;
}

/** The evaluated items; undefined where unknown. */
export function evaluatedItems(parts: SchemaFormulas, node: SchemaNode): Case<Items>[] | undefined {
  const { formulas } = parts;
  return casesOf(parts, node, 0, {
    type: "array",
    nothing: { count: 0, found: formulas.false },
    own(at, root) {
      const schema = at.schema as Record<string, unknown>;
      if ("contains" in schema && acceptsAnyItem(at)) return undefined;
      const rest = "items" in schema || (!root && "unevaluatedItems" in schema);
      return {
        count: rest ? Number.POSITIVE_INFINITY : prefixLength(schema),
        found: "contains" in schema ? parts.child(at, "contains") : formulas.false,
      };
    },
    join: (a, b) => ({ count: Math.max(a.count, b.count), found: formulas.any([a.found, b.found]) }),
  });
}

/** Whether `contains` accepts every item or asks for none: validators then differ in which items are evaluated. */
function acceptsAnyItem(node: SchemaNode): boolean {
  const { minContains, maxContains } = node.schema as Record<string, unknown>;
  const any = assertedKeywords(node.document.child(node, "contains")).length === 0;
  return any || (minContains === 0 && maxContains === undefined);
}

/** The cases of a schema that is known to hold. */
function casesOf<T>(
  parts: SchemaFormulas,
  node: SchemaNode,
  depth: number,
  kind: Kind<T>,
): Case<T>[] | undefined {
  if (!isObject(node.schema)) return [{ when: [], evaluated: kind.nothing }];
  parts.formulas.budget.spend(10);
  const own = kind.own(node, depth === 0);
  if (own === undefined || depth > MAX_DEPTH) return undefined;
  let cases: Case<T>[] | undefined = [{ when: [], evaluated: own }];
  for (const step of steps(parts, node, depth, kind)) {
    cases = cases && step && product(cases, step, kind);
    if (!cases || cases.length > MAX_CASES) return undefined;
  }
  return cases;
}

/** The cases of each subschema that applies in place. */
function* steps<T>(
  parts: SchemaFormulas,
  node: SchemaNode,
  depth: number,
  kind: Kind<T>,
): Generator<Case<T>[] | undefined> {
  const { formulas } = parts;
  const schema = node.schema as Record<string, unknown>;
  const child = (...tokens: (string | number)[]) => node.document.child(node, ...tokens);
  const sure = (at: SchemaNode) => casesOf(parts, at, depth + 1, kind);
  const optional = (condition: Formula, at: SchemaNode) =>
    split(formulas.not(condition), condition, sure(at), kind);
  for (const target of node.document.targets(node)) yield target && sure(target);
  for (const index of indices(schema.allOf)) yield sure(child("allOf", index));
  for (const keyword of ["anyOf", "oneOf"]) {
    for (const index of indices(schema[keyword])) {
      yield optional(parts.child(node, keyword, index), child(keyword, index));
    }
  }
  if (kind.type === "object" && isObject(schema.dependentSchemas)) {
    for (const name of Object.keys(schema.dependentSchemas)) {
      yield optional(parts.hasProperty(name), child("dependentSchemas", name));
    }
  }
  if ("if" in schema) yield conditional(parts, node, sure, kind);
}

function conditional<T>(
  parts: SchemaFormulas,
  node: SchemaNode,
  sure: (at: SchemaNode) => Case<T>[] | undefined,
  kind: Kind<T>,
): Case<T>[] | undefined {
  const schema = node.schema as Record<string, unknown>;
  const at = (keyword: string) => sure(node.document.child(node, keyword));
  const nothing = [{ when: [], evaluated: kind.nothing }];
  const condition = parts.child(node, "if");
  const found = at("if");
  const then = "then" in schema ? at("then") : nothing;
  const otherwise = "else" in schema ? at("else") : nothing;
  if (!found || !then || !otherwise) return undefined;
  const guard = (formula: Formula, cases: Case<T>[]) =>
    cases.map(({ when, evaluated }) => ({ when: [formula, ...when], evaluated }));
  return [
    ...guard(condition, product(found, then, kind)),
    ...guard(parts.formulas.not(condition), otherwise),
  ];
}

/** Nothing is evaluated where the subschema fails; its own cases apply where it holds. */
function split<T>(
  fails: Formula,
  holds: Formula,
  cases: Case<T>[] | undefined,
  kind: Kind<T>,
): Case<T>[] | undefined {
  return (
    cases && [
      { when: [fails], evaluated: kind.nothing },
      ...cases.map(({ when, evaluated }) => ({ when: [holds, ...when], evaluated })),
    ]
  );
}

function product<T>(as: Case<T>[], bs: Case<T>[], kind: Kind<T>): Case<T>[] {
  return as.flatMap((a) =>
    bs.map((b) => ({ when: [...a.when, ...b.when], evaluated: kind.join(a.evaluated, b.evaluated) })),
  );
}

function indices(value: unknown): number[] {
  return Array.isArray(value) ? value.map((_, index) => index) : [];
}
