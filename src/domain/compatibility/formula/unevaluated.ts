/**
 * Determines which properties or items other keywords evaluate, because `unevaluatedProperties` and
 * `unevaluatedItems` apply only to the rest (JSON Schema 2020-12 core, section 11). The answer depends on
 * which subschemas accept the value. So the result is a list of cases, and exactly one case applies to each
 * value.
 */

import { isObject } from "../../json-schema/values.js";
import { assertedKeywords, dependentSchemas, prefixLength, type SchemaNode } from "../schema/document.js";
import type { Formula } from "./formula.js";
import type { SchemaFormulas } from "./schema-formulas.js";

/** One case: the properties or items that the keywords evaluate if all formulas in `when` are true. */
export interface Case<T> {
  when: Formula[];
  evaluated: T;
}

interface EvaluatedKind<T> {
  type: "array" | "object";
  none: T;
  /**
   * Returns which properties or items the schema's own keywords evaluate; undefined if that is unknown.
   * @param root true for the schema that contains the `unevaluated…` keyword
   */
  own(node: SchemaNode, root: boolean): T | undefined;
  join(a: T, b: T): T;
}

const MAX_CASES = 32;
const MAX_DEPTH = 16;

/**
 * In each case, the formula describes the names of the evaluated properties. Returns undefined if the cases
 * cannot be determined.
 */
export function evaluatedProperties(builder: SchemaFormulas, node: SchemaNode): Case<Formula>[] | undefined {
  const { formulas } = builder;
  return casesOf(builder, node, 0, {
    type: "object",
    none: formulas.false,
    own(at, root) {
      const schema = at.schema as Record<string, unknown>;
      const rest = "additionalProperties" in schema || (!root && "unevaluatedProperties" in schema);
      return rest ? formulas.true : builder.ownNames(at);
    },
    join: (a, b) => formulas.any([a, b]),
  });
}

/**
 * The evaluated items of an array: the first `count` items, and each item that satisfies `found`. The formula
 * `found` comes from `contains`.
 */
export interface EvaluatedItems {
  count: number;
  found: Formula;
}

export function evaluatedItems(
  builder: SchemaFormulas,
  node: SchemaNode,
): Case<EvaluatedItems>[] | undefined {
  const { formulas } = builder;
  return casesOf(builder, node, 0, {
    type: "array",
    none: { count: 0, found: formulas.false },
    own(at, root) {
      const schema = at.schema as Record<string, unknown>;
      if ("contains" in schema && acceptsAnyItem(at)) return undefined;
      const rest = "items" in schema || (!root && "unevaluatedItems" in schema);
      return {
        count: rest ? Number.POSITIVE_INFINITY : prefixLength(schema),
        found: "contains" in schema ? builder.child(at, "contains") : formulas.false,
      };
    },
    join: (a, b) => ({ count: Math.max(a.count, b.count), found: formulas.any([a.found, b.found]) }),
  });
}

/**
 * Returns whether `contains` accepts every item or requires none. In both cases, validators disagree on which
 * items `contains` evaluates.
 */
function acceptsAnyItem(node: SchemaNode): boolean {
  const { minContains, maxContains } = node.schema as Record<string, unknown>;
  const any = assertedKeywords(node.document.child(node, "contains")).length === 0;
  return any || (minContains === 0 && maxContains === undefined);
}

/**
 * Returns the cases of a schema, assuming that it accepts the value. Each case states which properties or
 * items the schema evaluates. For example, `anyOf` has one case for each combination of accepting branches.
 */
function casesOf<T>(
  builder: SchemaFormulas,
  node: SchemaNode,
  depth: number,
  kind: EvaluatedKind<T>,
): Case<T>[] | undefined {
  if (!isObject(node.schema)) return [{ when: [], evaluated: kind.none }];
  builder.formulas.budget.spend(10);
  const own = kind.own(node, depth === 0);
  if (own === undefined || depth > MAX_DEPTH) return undefined;
  let cases: Case<T>[] | undefined = [{ when: [], evaluated: own }];
  for (const step of inPlaceCases(builder, node, depth, kind)) {
    cases = cases && step && product(cases, step, kind);
    if (!cases || cases.length > MAX_CASES) return undefined;
  }
  return cases;
}

function* inPlaceCases<T>(
  builder: SchemaFormulas,
  node: SchemaNode,
  depth: number,
  kind: EvaluatedKind<T>,
): Generator<Case<T>[] | undefined> {
  const { formulas } = builder;
  const schema = node.schema as Record<string, unknown>;
  const child = (...tokens: (string | number)[]) => node.document.child(node, ...tokens);
  const sure = (at: SchemaNode) => casesOf(builder, at, depth + 1, kind);
  const optional = (condition: Formula, at: SchemaNode) =>
    optionalCases(formulas.not(condition), condition, sure(at), kind);
  for (const target of node.document.targets(node)) yield target && sure(target);
  for (const index of indices(schema.allOf)) yield sure(child("allOf", index));
  for (const keyword of ["anyOf", "oneOf"]) {
    for (const index of indices(schema[keyword])) {
      yield optional(builder.child(node, keyword, index), child(keyword, index));
    }
  }
  if (kind.type === "object") {
    for (const path of dependentSchemas(schema)) {
      yield optional(builder.hasProperty(String(path[1])), child(...path));
    }
  }
  if ("if" in schema) yield conditional(builder, node, sure, kind);
}

function conditional<T>(
  builder: SchemaFormulas,
  node: SchemaNode,
  sure: (at: SchemaNode) => Case<T>[] | undefined,
  kind: EvaluatedKind<T>,
): Case<T>[] | undefined {
  const schema = node.schema as Record<string, unknown>;
  const at = (keyword: string) => sure(node.document.child(node, keyword));
  const nothing = [{ when: [], evaluated: kind.none }];
  const condition = builder.child(node, "if");
  const found = at("if");
  const then = "then" in schema ? at("then") : nothing;
  const otherwise = "else" in schema ? at("else") : nothing;
  if (!found || !then || !otherwise) return undefined;
  const guard = (formula: Formula, cases: Case<T>[]) =>
    cases.map(({ when, evaluated }) => ({ when: [formula, ...when], evaluated }));
  return [
    ...guard(condition, product(found, then, kind)),
    ...guard(builder.formulas.not(condition), otherwise),
  ];
}

/** A subschema that rejects the value evaluates none of its properties or items. */
function optionalCases<T>(
  fails: Formula,
  holds: Formula,
  cases: Case<T>[] | undefined,
  kind: EvaluatedKind<T>,
): Case<T>[] | undefined {
  return (
    cases && [
      { when: [fails], evaluated: kind.none },
      ...cases.map(({ when, evaluated }) => ({ when: [holds, ...when], evaluated })),
    ]
  );
}

function product<T>(as: Case<T>[], bs: Case<T>[], kind: EvaluatedKind<T>): Case<T>[] {
  return as.flatMap((a) =>
    bs.map((b) => ({ when: [...a.when, ...b.when], evaluated: kind.join(a.evaluated, b.evaluated) })),
  );
}

function indices(value: unknown): number[] {
  return Array.isArray(value) ? value.map((_, index) => index) : [];
}
