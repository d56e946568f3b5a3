/** Translates each JSON Schema 2020-12 keyword to a formula about values of one type. */

import { FORMATS } from "../../json-schema/formats/index.js";
import type { Json, JsonType } from "../../json-schema/values.js";
import { typeName } from "../../json-schema/values.js";
import { assertedKeywords, type SchemaNode } from "../schema/document.js";
import { arrayKeyword } from "./array-keywords.js";
import type { Formula, Formulas, ValidityFormula } from "./formula.js";
import { objectKeyword } from "./object-keywords.js";
import { SchemaFormulas } from "./schema-formulas.js";

export class Semantics {
  private readonly unfolded = new Map<string, Formula>();
  private readonly builder: SchemaFormulas;

  constructor(readonly formulas: Formulas) {
    this.builder = new SchemaFormulas(formulas);
  }

  /**
   * Replaces "the value is valid under this schema" with formulas of the schema's keywords, for values of one
   * type. Does not expand subschemas.
   */
  unfold(claim: ValidityFormula, type: JsonType): Formula {
    const key = `${claim.id} ${type}`;
    const known = this.unfolded.get(key);
    if (known) return known;
    const { formulas } = this;
    const keywords = claim.keyword === undefined ? assertedKeywords(claim.node) : [claim.keyword];
    const positive = formulas.all(keywords.map((keyword) => this.keyword(claim.node, keyword, type)));
    const unfolding = claim.holds ? positive : formulas.not(positive);
    this.unfolded.set(key, unfolding);
    return unfolding;
  }

  private keyword(node: SchemaNode, keyword: string, type: JsonType): Formula {
    const value = (node.schema as Record<string, unknown>)[keyword];
    return (
      this.applicator(node, keyword, value) ??
      this.anyType(keyword, value, type) ??
      this.typed(node, keyword, value, type)
    );
  }

  private applicator(node: SchemaNode, keyword: string, value: unknown): Formula | undefined {
    const { formulas } = this;
    const branches = () => (value as unknown[]).map((_, index) => this.builder.child(node, keyword, index));
    switch (keyword) {
      case "allOf":
        return formulas.all(branches());
      case "anyOf":
        return formulas.any(branches());
      case "oneOf":
        return this.exactlyOne(branches());
      case "not":
        return formulas.not(this.builder.child(node, "not"));
      case "if":
        return this.conditional(node);
      case "$ref":
      case "$dynamicRef": {
        const target = node.document.target(node, keyword);
        return target ? formulas.schema(target) : this.builder.opaque(node, keyword);
      }
      default:
        return undefined;
    }
  }

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
      Object.hasOwn(node.schema as object, keyword) ? this.builder.child(node, keyword) : formulas.true;
    const condition = this.builder.child(node, "if");
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
        return typeName(value as Json) === type ? formulas.values([value as Json]) : formulas.false;
      case "enum":
        return formulas.values((value as Json[]).filter((member) => typeName(member) === type));
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

  /**
   * Returns a keyword's condition on values of one type. For example, `maxLength` restricts only strings, so
   * values of other types always satisfy it.
   */
  private typed(node: SchemaNode, keyword: string, value: unknown, type: JsonType): Formula {
    const { formulas } = this;
    const constrained = keyword === "format" ? FORMATS.get(value as string)?.type : TYPE_OF[keyword];
    if (constrained === undefined) return this.builder.opaque(node, keyword);
    if (constrained !== type) return formulas.true;
    if (keyword === "format" && type === "number") return this.numberFormat(value as string);
    if (type === "number") return this.numeric(keyword, value as number);
    if (type === "string") return this.textual(keyword, value);
    return type === "array"
      ? arrayKeyword(this.builder, node, keyword)
      : objectKeyword(this.builder, node, keyword);
  }

  private numeric(keyword: string, value: number): Formula {
    const { formulas } = this;
    if (keyword === "multipleOf") return formulas.literal({ op: "multiple", of: value, holds: true });
    const op = keyword === "minimum" || keyword === "exclusiveMinimum" ? "lower" : "upper";
    return formulas.literal({ op, value, exclusive: keyword.startsWith("exclusive") });
  }

  private numberFormat(name: string): Formula {
    const { formulas } = this;
    const integer = formulas.literal({ op: "multiple", of: 1, holds: true });
    switch (name) {
      case "int32":
        return formulas.all([
          integer,
          this.numeric("minimum", -(2 ** 31)),
          this.numeric("maximum", 2 ** 31 - 1),
        ]);
      case "int64":
        return integer;
      case "float":
      case "double":
        return formulas.true;
      default:
        return formulas.literal({ op: "format", name, holds: true });
    }
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

/**
 * Maps each keyword to the type of the values that it restricts. Other keywords are not analysed, except
 * `format`, whose type depends on its value.
 */
const TYPE_OF: Record<string, JsonType> = {
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "number",
  minLength: "string",
  maxLength: "string",
  pattern: "string",
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
  dependencies: "object",
  unevaluatedProperties: "object",
};
