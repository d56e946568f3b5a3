/**
 * Translates a JSON Schema document into TypeScript types. A type may be wider than its schema, because
 * formats, ranges, patterns, `not`, `if` and similar keywords have no counterpart. The package
 * json-schema-to-typescript is unsuitable: it does not support 2020-12 (`prefixItems`, `$anchor`), copies the
 * keyword `tsType` into the source, and is large.
 */
import { type Resolve, referencesIn } from "../../../daemon/local/offline.js";
import { isJsonObject, type JsonObject } from "../../json-object.js";
import { commentOf, literalOf, propertyName, type TypeNames } from "./type-text.js";

/** A type's source code. `isList` marks a union or intersection, which may need parentheses. */
interface TypeText {
  text: string;
  isList?: boolean;
}

const UNKNOWN: TypeText = { text: "unknown" };
const NEVER: TypeText = { text: "never" };

/** Keywords that describe objects and arrays, even in a subschema without its own `type`. */
const SHAPES = [
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
  "items",
  "prefixItems",
];

export async function declarationsOf(
  name: string,
  document: JsonObject,
  names: TypeNames,
): Promise<string[]> {
  return new TypeWriter(name, document, names, await referencesIn(document)).write();
}

class TypeWriter {
  readonly #declared = new Map<unknown, string>();
  /** Schemas that still need a declaration. */
  readonly #pending: unknown[] = [];

  constructor(
    private readonly name: string,
    private readonly document: JsonObject,
    private readonly names: TypeNames,
    private readonly resolve: Resolve,
  ) {}

  write(): string[] {
    this.#declared.set(this.document, this.name);
    this.#pending.push(this.document);
    const declarations: string[] = [];
    for (let schema = this.#pending.shift(); schema !== undefined; schema = this.#pending.shift()) {
      const { text } = this.#typeOf(schema, "");
      declarations.push(`${describe(schema, "")}export type ${this.#declared.get(schema)} = ${text};\n`);
    }
    return declarations;
  }

  /** @param inherited the `type` of an enclosing schema that applies to the same value */
  #typeOf(schema: unknown, indent: string, inherited?: readonly unknown[]): TypeText {
    if (schema === false) return NEVER;
    if (!isJsonObject(schema)) return UNKNOWN;
    // Remove duplicates, because a malicious list could repeat a type many times, and each would be expanded.
    const own = schema.type === undefined ? undefined : [...new Set([schema.type].flat())];
    const types = own ?? inherited;
    const parts: TypeText[] = [];
    if (Object.hasOwn(schema, "const")) parts.push({ text: literalOf(schema.const) });
    else if (Array.isArray(schema.enum))
      parts.push(union(schema.enum.map((value) => ({ text: literalOf(value) }))));
    else if (types && (own || SHAPES.some((keyword) => Object.hasOwn(schema, keyword))))
      parts.push(union(types.map((type) => this.#shapeOf(type, schema, indent))));
    for (const keyword of ["$ref", "$dynamicRef"])
      if (typeof schema[keyword] === "string") parts.push(this.#reference(schema, schema[keyword]));
    for (const list of [schema.anyOf, schema.oneOf])
      if (Array.isArray(list)) parts.push(union(list.map((each) => this.#typeOf(each, indent, types))));
    if (Array.isArray(schema.allOf))
      parts.push(...schema.allOf.map((each) => this.#typeOf(each, indent, types)));
    return intersection(parts);
  }

  #shapeOf(type: unknown, schema: JsonObject, indent: string): TypeText {
    if (type === "object") return this.#objectOf(schema, indent);
    if (type === "array") return this.#arrayOf(schema, indent);
    if (type === "integer" || type === "number") return { text: "number" };
    return type === "string" || type === "boolean" || type === "null" ? { text: type } : UNKNOWN;
  }

  #objectOf(schema: JsonObject, indent: string): TypeText {
    const properties = isJsonObject(schema.properties) ? schema.properties : {};
    const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
    const inner = `${indent}  `;
    const members = [...new Set([...Object.keys(properties), ...required])].map((name) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : true;
      const { text } = this.#typeOf(property, inner);
      const optional = required.has(name) ? "" : "?";
      return `${describe(property, inner)}${inner}${propertyName(name)}${optional}: ${text};\n`;
    });
    const others = this.#otherPropertiesOf(schema, members.length > 0, inner);
    if (others) members.push(`${inner}[key: string]: ${others.text};\n`);
    return { text: `{\n${members.join("")}${indent}}` };
  }

  /** Returns the type of an index signature, or undefined if the type needs none. */
  #otherPropertiesOf(schema: JsonObject, hasNames: boolean, indent: string): TypeText | undefined {
    const { additionalProperties: additional, patternProperties } = schema;
    const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
    // An index signature must be `unknown` here, because TypeScript also applies it to named properties.
    if (hasNames) return patterns.length > 0 || (additional ?? false) !== false ? UNKNOWN : undefined;
    return union([...patterns, additional ?? true].map((each) => this.#typeOf(each, indent)));
  }

  #arrayOf({ items, prefixItems, minItems }: JsonObject, indent: string): TypeText {
    const rest = `${enclosed(this.#typeOf(items ?? true, indent))}[]`;
    if (!Array.isArray(prefixItems)) return { text: rest };
    const certain = typeof minItems === "number" ? minItems : 0;
    const parts = prefixItems.map(
      (each, n) => `${enclosed(this.#typeOf(each, indent))}${n < certain ? "" : "?"}`,
    );
    return { text: `[${[...parts, ...(items === false ? [] : [`...${rest}`])].join(", ")}]` };
  }

  #reference(from: JsonObject, ref: string): TypeText {
    const target = this.resolve(from, ref);
    if (target === undefined) return UNKNOWN;
    const { schema, pointer } = target;
    let name = this.#declared.get(schema);
    if (name === undefined) {
      name = this.names.take(`${this.name} ${pointer.split("/").at(-1)!.replaceAll(/~[01]/g, " ")}`);
      this.#declared.set(schema, name);
      this.#pending.push(schema);
    }
    return { text: name };
  }
}

function describe(schema: unknown, indent: string): string {
  if (!isJsonObject(schema)) return "";
  const texts = [schema.title, schema.description].filter((text) => typeof text === "string");
  return commentOf(texts.join("\n"), indent);
}

function union(types: readonly TypeText[]): TypeText {
  return combined(types, " | ", UNKNOWN, NEVER);
}

function intersection(types: readonly TypeText[]): TypeText {
  return combined(types, " & ", NEVER, UNKNOWN);
}

/**
 * @param absorbing the type that replaces all others
 * @param neutral the type that changes nothing
 */
function combined(
  types: readonly TypeText[],
  operator: string,
  absorbing: TypeText,
  neutral: TypeText,
): TypeText {
  const texts = new Set(types.map(({ text }) => text));
  if (texts.has(absorbing.text)) return absorbing;
  texts.delete(neutral.text);
  const parts = types.filter(({ text }) => texts.delete(text));
  if (parts.length === 0) return neutral;
  return parts.length === 1 ? parts[0]! : { text: parts.map(enclosed).join(operator), isList: true };
}

function enclosed({ text, isList }: TypeText): string {
  return isList ? `(${text})` : text;
}
