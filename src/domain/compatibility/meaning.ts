/** From schemas to formulas: what each keyword of JSON Schema 2020-12 says about instances of one type. */

import type { SchemaNode } from "./document.js";
import type { Formula, Formulas, Said } from "./formula.js";
import { isObject, type Json, type JsonType, typeOf } from "./json.js";
import { ANNOTATIONS, HELPERS } from "./keywords.js";
import { arrayKeyword } from "./meaning-arrays.js";
import { objectKeyword } from "./meaning-objects.js";

/** The asserting keywords of a schema, one per statement that it makes. */
export function assertions(node: SchemaNode): string[] {
  if (!isObject(node.schema)) return [];
  return Object.keys(node.schema).filter((keyword) => !ANNOTATIONS.has(keyword) && !HELPERS.has(keyword));
}

export class Meaning {
  private readonly spelt = new Map<string, Formula>();

  constructor(readonly formulas: Formulas) {}

  /** Spells out one level of "valid under this schema" for instances of a type. */
  of(said: Said, type: JsonType): Formula {
    const key = `${said.id} ${type}`;
    const known = this.spelt.get(key);
    if (known) return known;
    const { formulas } = this;
    const keywords = said.keyword === undefined ? assertions(said.node) : [said.keyword];
    const positive = formulas.all(keywords.map((keyword) => this.keyword(said.node, keyword, type)));
    const meaning = said.holds ? positive : formulas.not(positive);
    this.spelt.set(key, meaning);
    return meaning;
  }

  /** The formula for the subschema below a node. */
  child(node: SchemaNode, ...tokens: (string | number)[]): Formula {
    return this.formulas.schema(node.document.child(node, ...tokens));
  }

  private keyword(node: SchemaNode, keyword: string, type: JsonType): Formula {
    const value = (node.schema as Record<string, unknown>)[keyword];
    return (
      this.applicator(node, keyword, value) ??
      this.anyType(keyword, value, type) ??
      this.typed(node, keyword, value, type)
    );
  }

  /** Keywords that combine subschemas on the same instance. */
  private applicator(node: SchemaNode, keyword: string, value: unknown): Formula | undefined {
    const { formulas } = this;
    const branches = () => (value as unknown[]).map((_, index) => this.child(node, keyword, index));
    switch (keyword) {
      case "allOf":
        return formulas.all(branches());
      case "anyOf":
        return formulas.any(branches());
      case "oneOf":
        return this.exactlyOne(branches());
      case "not":
        return formulas.not(this.child(node, "not"));
      case "if":
        return this.conditional(node);
      case "$ref":
      case "$dynamicRef": {
        const target = node.document.target(node, keyword);
        return target ? formulas.schema(target) : this.opaque(node, keyword);
      }
      default:
        return undefined;
    }
  }

  /** One of them holds, and none of the others. */
  private exactlyOne(branches: Formula[]): Formula {
    const { formulas } = this;
    return formulas.any(
      branches.map((branch, index) =>
        formulas.all([branch, ...branches.flatMap((other, i) => (i === index ? [] : [formulas.not(other)]))]),
      ),
    );
  }

  private conditional(node: SchemaNode): Formula {
    const { formulas } = this;
    const branch = (keyword: string) =>
      Object.hasOwn(node.schema as object, keyword) ? this.child(node, keyword) : formulas.true;
    const condition = this.child(node, "if");
    return formulas.any([
      formulas.all([condition, branch("then")]),
      formulas.all([formulas.not(condition), branch("else")]),
    ]);
  }

  private anyType(keyword: string, value: unknown, type: JsonType): Formula | undefined {
    const { formulas } = this;
    switch (keyword) {
      case "type":
        return this.type(Array.isArray(value) ? value : [value], type);
      case "const":
        return typeOf(value as Json) === type ? formulas.values([value as Json]) : formulas.false;
      case "enum":
        return formulas.values((value as Json[]).filter((member) => typeOf(member) === type));
      default:
        return undefined;
    }
  }

  private type(names: unknown[], type: JsonType): Formula {
    const { formulas } = this;
    if (names.includes(type)) return formulas.true;
    if (type === "number" && names.includes("integer")) {
      return formulas.literal({ op: "multiple", of: 1, holds: true });
    }
    return formulas.false;
  }

  /** Keywords that speak of one type; of others they say nothing. */
  private typed(node: SchemaNode, keyword: string, value: unknown, type: JsonType): Formula {
    const { formulas } = this;
    const home = HOMES[keyword];
    if (home === undefined) return this.opaque(node, keyword);
    if (home !== type) return formulas.true;
    if (type === "number") return this.numeric(keyword, value as number);
    if (type === "string") return this.textual(keyword, value);
    return type === "array" ? arrayKeyword(this, node, keyword) : objectKeyword(this, node, keyword);
  }

  /** A keyword that is not looked into. */
  opaque(node: SchemaNode, keyword: string): Formula {
    return this.formulas.literal({ op: "opaque", key: `${keyword} ${node.classId}`, holds: true });
  }

  private numeric(keyword: string, value: number): Formula {
    const { formulas } = this;
    if (keyword === "multipleOf") return formulas.literal({ op: "multiple", of: value, holds: true });
    const op = keyword === "minimum" || keyword === "exclusiveMinimum" ? "lower" : "upper";
    return formulas.literal({ op, value, exclusive: keyword.startsWith("exclusive") });
  }

  private textual(keyword: string, value: unknown): Formula {
    const { formulas } = this;
    if (keyword === "minLength") return formulas.literal({ op: "minSize", size: value as number });
    if (keyword === "maxLength") return formulas.literal({ op: "maxSize", size: value as number });
    if (keyword === "pattern") {
      return formulas.literal({ op: "pattern", source: value as string, holds: true });
    }
    return formulas.literal({ op: "format", name: value as string, holds: true });
  }
}

/** The one type that a keyword speaks of. A keyword that is not here is compared as a whole. */
const HOMES: Record<string, JsonType> = {
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "number",
  minLength: "string",
  maxLength: "string",
  pattern: "string",
  format: "string",
  minItems: "array",
  maxItems: "array",
  uniqueItems: "array",
  prefixItems: "array",
  items: "array",
  contains: "array",
  unevaluatedItems: "array",
  minProperties: "object",
  maxProperties: "object",
  required: "object",
  properties: "object",
  patternProperties: "object",
  additionalProperties: "object",
  propertyNames: "object",
  dependentRequired: "object",
  dependentSchemas: "object",
  unevaluatedProperties: "object",
};
