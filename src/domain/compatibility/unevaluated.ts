/**
 * What `unevaluatedProperties` and `unevaluatedItems` leave to speak of (JSON Schema 2020-12 core, section 11).
 * It depends on which conditional subschemas hold, so it is told case by case; the cases exclude each other and
 * leave nothing out.
 */

import type { SchemaNode } from "./document.js";
import type { Formula } from "./formula.js";
import { isObject } from "./json.js";
import { assertions, type Meaning } from "./meaning.js";
import { prefixLength } from "./meaning-arrays.js";
import { has, ownNames } from "./meaning-objects.js";

/** When all of `when` hold, `evaluated` is what has been evaluated. */
export interface Case<T> {
  when: Formula[];
  evaluated: T;
}

/** How one kind of evaluated part is read off a schema and joined. */
interface Kind<T> {
  /** The type of instance that has such parts. */
  type: "array" | "object";
  nothing: T;
  /** What the schema's own keywords evaluate; undefined where it is not clear. `root` is the asking schema. */
  own(node: SchemaNode, root: boolean): T | undefined;
  join(a: T, b: T): T;
}

const MAX_CASES = 32;
const MAX_DEPTH = 16;

/** The names evaluated, as a formula about names; undefined where it cannot be told. */
export function evaluatedProperties(meaning: Meaning, node: SchemaNode): Case<Formula>[] | undefined {
  const { formulas } = meaning;
  return casesOf(meaning, node, 0, {
    type: "object",
    nothing: formulas.false,
    own(at, root) {
      const schema = at.schema as Record<string, unknown>;
      const rest = "additionalProperties" in schema || (!root && "unevaluatedProperties" in schema);
      return rest ? formulas.true : ownNames(meaning, at);
    },
    join: (a, b) => formulas.any([a, b]),
  });
}

/** The items evaluated: so many from the start, and those that `contains` has found. */
export interface Items {
  count: number;
  found: Formula;
}

/** Which items are evaluated; undefined where it cannot be told. */
export function evaluatedItems(meaning: Meaning, node: SchemaNode): Case<Items>[] | undefined {
  const { formulas } = meaning;
  return casesOf(meaning, node, 0, {
    type: "array",
    nothing: { count: 0, found: formulas.false },
    own(at, root) {
      const schema = at.schema as Record<string, unknown>;
      if ("contains" in schema && isIdle(at)) return undefined;
      const rest = "items" in schema || (!root && "unevaluatedItems" in schema);
      return {
        count: rest ? Number.POSITIVE_INFINITY : prefixLength(schema),
        found: "contains" in schema ? meaning.child(at, "contains") : formulas.false,
      };
    },
    join: (a, b) => ({ count: Math.max(a.count, b.count), found: formulas.any([a.found, b.found]) }),
  });
}

/** Whether `contains` asks nothing of items: validators then differ in what they count as evaluated. */
function isIdle(node: SchemaNode): boolean {
  const { minContains, maxContains } = node.schema as Record<string, unknown>;
  const any = assertions(node.document.child(node, "contains")).length === 0;
  return any || (minContains === 0 && maxContains === undefined);
}

/** The cases of a schema that is known to hold. */
function casesOf<T>(meaning: Meaning, node: SchemaNode, depth: number, kind: Kind<T>): Case<T>[] | undefined {
  if (!isObject(node.schema)) return [{ when: [], evaluated: kind.nothing }];
  meaning.formulas.budget.spend(10);
  const own = kind.own(node, depth === 0);
  if (own === undefined || depth > MAX_DEPTH) return undefined;
  let cases: Case<T>[] | undefined = [{ when: [], evaluated: own }];
  for (const step of steps(meaning, node, depth, kind)) {
    cases = cases && step && product(cases, step, kind);
    if (!cases || cases.length > MAX_CASES) return undefined;
  }
  return cases;
}

/** The cases of each subschema that applies in place. */
function* steps<T>(
  meaning: Meaning,
  node: SchemaNode,
  depth: number,
  kind: Kind<T>,
): Generator<Case<T>[] | undefined> {
  const { formulas } = meaning;
  const schema = node.schema as Record<string, unknown>;
  const child = (...tokens: (string | number)[]) => node.document.child(node, ...tokens);
  const sure = (at: SchemaNode) => casesOf(meaning, at, depth + 1, kind);
  const optional = (condition: Formula, at: SchemaNode) =>
    split(formulas.not(condition), condition, sure(at), kind);
  for (const target of node.document.targets(node)) yield target && sure(target);
  for (const index of indices(schema.allOf)) yield sure(child("allOf", index));
  for (const keyword of ["anyOf", "oneOf"]) {
    for (const index of indices(schema[keyword])) {
      yield optional(meaning.child(node, keyword, index), child(keyword, index));
    }
  }
  if (kind.type === "object" && isObject(schema.dependentSchemas)) {
    for (const name of Object.keys(schema.dependentSchemas)) {
      yield optional(has(meaning, name), child("dependentSchemas", name));
    }
  }
  if ("if" in schema) yield conditional(meaning, node, sure, kind);
}

function conditional<T>(
  meaning: Meaning,
  node: SchemaNode,
  sure: (at: SchemaNode) => Case<T>[] | undefined,
  kind: Kind<T>,
): Case<T>[] | undefined {
  const schema = node.schema as Record<string, unknown>;
  const at = (keyword: string) => sure(node.document.child(node, keyword));
  const nothing = [{ when: [], evaluated: kind.nothing }];
  const condition = meaning.child(node, "if");
  const found = at("if");
  const then = "then" in schema ? at("then") : nothing;
  const otherwise = "else" in schema ? at("else") : nothing;
  if (!found || !then || !otherwise) return undefined;
  const guard = (formula: Formula, cases: Case<T>[]) =>
    cases.map(({ when, evaluated }) => ({ when: [formula, ...when], evaluated }));
  return [
    ...guard(condition, product(found, then, kind)),
    ...guard(meaning.formulas.not(condition), otherwise),
  ];
}

/** Nothing is evaluated where the subschema fails; where it holds, what its own cases say. */
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
