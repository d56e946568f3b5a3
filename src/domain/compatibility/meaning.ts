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

/** What a schema evaluates in every value. */
interface Evaluated {
  /** The names of the evaluated properties. */
  names: Term;
  /** The number of evaluated items, counted from the first. */
  items: number;
}

/** Keywords that evaluate parts of some values only. */
const CONDITIONAL = ["anyOf", "oneOf", "if", "dependentSchemas", "dependencies", "contains"];

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
   * 2020-12 core, section 11). Unknown if these depend on the value.
   */
  private unevaluated(node: SchemaNode, keyword: string): Term {
    const { terms } = this;
    const evaluated = this.evaluated(node, keyword);
    if (!evaluated) return terms.unknown;
    const rest = this.child(node, keyword);
    if (keyword === "unevaluatedItems") return terms.items(evaluated.items, END, rest);
    return terms.properties(terms.not(evaluated.names), rest);
  }

  /** Returns undefined if what the keywords of the schema, except one, evaluate depends on the value. */
  private evaluated(node: SchemaNode, except?: string): Evaluated | undefined {
    const { terms } = this;
    const keywords = keywordsOf(node);
    terms.budget.spend(10);
    if (CONDITIONAL.some((keyword) => keyword in keywords)) return undefined;
    const has = (...names: string[]) => names.some((name) => name !== except && name in keywords);
    const branches = ((keywords.allOf ?? []) as unknown[]).map((_, at) =>
      node.document.child(node, "allOf", at),
    );
    const references = (["$ref", "$dynamicRef"] as const).filter((keyword) => keyword in keywords);
    const targets = references.map((keyword) => node.document.target(node, keyword));
    let names = has("additionalProperties", "unevaluatedProperties") ? terms.true : this.ownNames(node);
    let items = has("items", "unevaluatedItems") ? END : prefixLength(node);
    for (const part of [...branches, ...targets]) {
      const inner = part && this.evaluated(part);
      if (!inner) return undefined;
      names = terms.any([names, inner.names]);
      items = Math.max(items, inner.items);
    }
    return { names, items };
  }
}
