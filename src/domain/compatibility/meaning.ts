/** The meaning of each keyword of JSON Schema 2020-12, as statements about values of one type. */

import { FORMATS } from "../json-schema/formats/index.js";
import { ARRAY_RULES } from "../json-schema/rules/arrays.js";
import { NUMBER_RULES } from "../json-schema/rules/numbers.js";
import { OBJECT_RULES } from "../json-schema/rules/objects.js";
import { type Json, type JsonObject, type JsonType, typeName } from "../json-schema/values.js";
import { assertions, keywordsOf, prefixLength, type SchemaNode } from "./document.js";
import type { Claim, Term, Terms } from "./terms.js";

const END = Number.POSITIVE_INFINITY;

/** The type of the values that a keyword restricts. The other keywords apply to all types. */
const TYPES = new Map<string, JsonType>();
for (const keyword of Object.keys(NUMBER_RULES)) TYPES.set(keyword, "number");
for (const keyword of ["minLength", "maxLength", "pattern"]) TYPES.set(keyword, "string");
for (const keyword of Object.keys(ARRAY_RULES)) TYPES.set(keyword, "array");
for (const keyword of [...Object.keys(OBJECT_RULES), "dependentSchemas", "dependencies"])
  TYPES.set(keyword, "object");

/** Each subschema that may or may not accept the value doubles the cases of an `unevaluated*` keyword. */
const MAX_OPTIONAL = 5;

/**
 * The parts of a value that a schema evaluates if `when` holds: properties by name, the first `items` items,
 * and the items that `contained` holds for.
 */
interface Evaluated {
  when: Term;
  names: Term;
  items: number;
  contained: Term;
}

export class Meaning {
  private readonly known = new Map<string, Term>();

  constructor(private readonly terms: Terms) {}

  /** Returns what a claim says about values of one type. Leaves claims about subschemas as they are. */
  of({ id, node, keyword, holds }: Claim, type: JsonType): Term {
    const key = `${id} ${type}`;
    const known = this.known.get(key);
    if (known) return known;
    const keywords = keyword === undefined ? assertions(node) : [keyword];
    const valid = this.terms.all(keywords.map((each) => this.keyword(node, each, type)));
    const meaning = holds ? valid : this.terms.not(valid);
    this.known.set(key, meaning);
    return meaning;
  }

  private keyword(node: SchemaNode, keyword: string, type: JsonType): Term {
    if ((TYPES.get(keyword) ?? type) !== type) return this.terms.true;
    const { terms } = this;
    const value = keywordsOf(node)[keyword];
    const branches = () => (value as unknown[]).map((_, index) => this.child(node, keyword, index));
    switch (keyword) {
      case "allOf":
        return terms.all(branches());
      case "anyOf":
        return terms.any(branches());
      case "oneOf":
        return this.exactlyOne(branches());
      case "not":
        return terms.not(this.child(node, keyword));
      case "if":
        return terms.all([
          this.implies(this.child(node, "if"), this.child(node, "then")),
          terms.any([this.child(node, "if"), this.child(node, "else")]),
        ]);
      case "$ref":
      case "$dynamicRef": {
        const target = node.document.target(node, keyword);
        return target ? terms.claim(target) : terms.true;
      }
      case "type":
        return this.type([value].flat(), type);
      case "const":
        return terms.enum(typeName(value) === type ? [value as Json] : []);
      case "enum":
        return terms.enum((value as Json[]).filter((each) => typeName(each) === type));
      case "format":
        return FORMATS.get(value as string)?.type === type ? this.format(value as string) : terms.true;
      case "uniqueItems":
        return value === true ? terms.keyword(keyword, value) : terms.true;
      case "prefixItems":
        return terms.all(branches().map((item, at) => terms.items(at, at + 1, item)));
      case "items":
        return terms.items(prefixLength(node), END, this.child(node, keyword));
      case "contains": {
        const { minContains = 1, maxContains = END } = keywordsOf(node) as Record<string, number>;
        const item = this.child(node, keyword);
        const tooMany = maxContains === END ? terms.false : terms.contains(maxContains + 1, item);
        return terms.all([terms.contains(minContains, item), terms.not(tooMany)]);
      }
      case "required":
        return terms.all((value as string[]).map((name) => terms.hasProperty(name)));
      case "properties":
      case "patternProperties":
        return terms.all(
          Object.keys(value as JsonObject).map((name) =>
            terms.properties(
              keyword === "properties" ? terms.enum([name]) : terms.keyword("pattern", name),
              this.child(node, keyword, name),
            ),
          ),
        );
      case "additionalProperties":
        return terms.properties(terms.not(this.ownNames(node)), this.child(node, keyword));
      case "propertyNames":
        return terms.properties(terms.not(this.child(node, keyword)), terms.false);
      case "dependentRequired":
      case "dependentSchemas":
      case "dependencies":
        return terms.all(
          Object.entries(value as JsonObject).map(([name, needed]) => {
            const others = Array.isArray(needed) && needed.map((other: string) => terms.hasProperty(other));
            const then = others ? terms.all(others) : this.child(node, keyword, name);
            return this.implies(terms.hasProperty(name), then);
          }),
        );
      case "unevaluatedItems":
      case "unevaluatedProperties":
        return this.unevaluated(node, keyword);
      default:
        return TYPES.has(keyword) ? terms.keyword(keyword, value) : terms.true;
    }
  }

  /** A missing subschema accepts every value. */
  private child(node: SchemaNode, ...steps: (string | number)[]): Term {
    const child = node.document.child(node, ...steps);
    return child ? this.terms.claim(child) : this.terms.true;
  }

  private implies(condition: Term, consequence: Term): Term {
    return this.terms.any([this.terms.not(condition), consequence]);
  }

  private exactlyOne(branches: Term[]): Term {
    const { terms } = this;
    const only = (branch: Term, index: number) =>
      terms.all(branches.map((other, at) => (at === index ? branch : terms.not(other))));
    return terms.any(branches.map(only));
  }

  private type(names: unknown[], type: JsonType): Term {
    if (names.includes(type)) return this.terms.true;
    const isInteger = type === "number" && names.includes("integer");
    return isInteger ? this.terms.keyword("multipleOf", 1) : this.terms.false;
  }

  private format(name: string): Term {
    const { terms } = this;
    const integer = terms.keyword("multipleOf", 1);
    if (name === "float" || name === "double") return terms.true;
    if (name === "int64") return integer;
    if (name !== "int32") return terms.keyword("format", name);
    return terms.all([integer, terms.keyword("minimum", -(2 ** 31)), terms.keyword("maximum", 2 ** 31 - 1)]);
  }

  private ownNames(node: SchemaNode): Term {
    const { properties = {}, patternProperties = {} } = keywordsOf(node) as Record<string, JsonObject>;
    const patterns = Object.keys(patternProperties).map((pattern) => this.terms.keyword("pattern", pattern));
    return this.terms.any([this.terms.enum(Object.keys(properties)), ...patterns]);
  }

  /**
   * An `unevaluated*` keyword restricts the items or properties that no other keyword evaluates (JSON Schema
   * 2020-12 core, section 11). These depend on which subschemas accept the value, so the statement has a case
   * for each combination of them.
   */
  private unevaluated(node: SchemaNode, keyword: string): Term {
    const { terms } = this;
    const ofItems = keyword === "unevaluatedItems";
    const parts = [...this.evaluated(node, terms.true, keyword)].filter(({ names, items, contained }) =>
      ofItems ? items > 0 || contained !== terms.false : names !== terms.false,
    );
    const conditions = [...new Set(parts.map(({ when }) => when))].filter((when) => when !== terms.true);
    if (conditions.length > MAX_OPTIONAL) return terms.unknown;
    const rest = this.child(node, keyword);
    const cases = Array.from({ length: 2 ** conditions.length }, (_, bits) => {
      const signed = conditions.map((when, index) => (bits & (1 << index) ? when : terms.not(when)));
      const met = parts.filter(({ when }) => when === terms.true || signed.includes(when));
      const claim = ofItems
        ? terms.items(
            Math.max(0, ...met.map(({ items }) => items)),
            END,
            terms.any([...met.map(({ contained }) => contained), rest]),
          )
        : terms.properties(terms.not(terms.any(met.map(({ names }) => names))), rest);
      return terms.all([...signed, claim]);
    });
    return terms.any(cases);
  }

  /** Yields the parts that a schema's keywords, except one, evaluate in values that the schema accepts. */
  private *evaluated(node: SchemaNode, when: Term, except?: string): Generator<Evaluated> {
    const { terms } = this;
    const keywords = keywordsOf(node);
    terms.budget.spend(10);
    const has = (...names: string[]) => names.some((name) => name !== except && name in keywords);
    yield {
      when,
      names: has("additionalProperties", "unevaluatedProperties") ? terms.true : this.ownNames(node),
      items: has("items", "unevaluatedItems") ? END : prefixLength(node),
      contained: has("contains") ? this.child(node, "contains") : terms.false,
    };
    for (const [condition, part] of this.inPlace(node))
      yield* this.evaluated(part, terms.all([when, condition]));
  }

  /** Yields each subschema that applies to the value itself, and the condition under which it does. */
  private *inPlace(node: SchemaNode): Generator<[when: Term, part: SchemaNode]> {
    const { terms } = this;
    const keywords = keywordsOf(node);
    const child = (...steps: (string | number)[]) => node.document.child(node, ...steps);
    const condition = this.child(node, "if");
    if ("if" in keywords) yield [condition, child("if")];
    if ("then" in keywords) yield [condition, child("then")];
    if ("else" in keywords) yield [terms.not(condition), child("else")];
    for (const keyword of ["$ref", "$dynamicRef"] as const) {
      const target = keyword in keywords ? node.document.target(node, keyword) : undefined;
      if (target) yield [terms.true, target];
    }
    for (const keyword of ["allOf", "anyOf", "oneOf"])
      for (const index of ((keywords[keyword] ?? []) as unknown[]).keys())
        yield [keyword === "allOf" ? terms.true : this.child(node, keyword, index), child(keyword, index)];
    for (const keyword of ["dependentSchemas", "dependencies"])
      for (const [name, needed] of Object.entries((keywords[keyword] ?? {}) as JsonObject))
        if (!Array.isArray(needed)) yield [terms.hasProperty(name), child(keyword, name)];
  }
}
