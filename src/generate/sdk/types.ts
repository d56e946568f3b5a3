/** Converts JSON Schemas to TypeScript types. Supports only schemas of the kinds that the contract uses. */
import { docComment, fieldComment } from "./comments.js";
import { containsPayload, isPayload, type Json, nameOf, toPascalCase } from "./names.js";

/** Collects a generated file's type declarations, and the named types that they use. */
export class Declarations {
  readonly used = new Set<string>();
  readonly #texts: string[] = [];

  /**
   * @param direction `input` if optional fields may be undefined, `output` if the payload may be null
   * @param hasPayloadType whether types with a payload have the type parameter `Payload`; if false, their
   * payloads are unknown
   */
  constructor(
    readonly direction: "input" | "output",
    readonly hasPayloadType = true,
  ) {}

  /**
   * Declares a type, and the unnamed object types inside it.
   * @param description the doc comment; default: the schema's description
   * @param owner prefix for the names of the inner types
   */
  declare(name: string, schema: Json, description?: string, owner = name): void {
    const head = docComment([description ?? (schema.description as string | undefined)]);
    const generic = `${name}${this.hasPayloadType ? typeParameterOf(schema) : ""}`;
    const text = isObject(schema)
      ? `${head}export interface ${generic} ${this.#object(schema, owner, "")}\n`
      : `${head}export type ${generic} = ${this.#variants(schema, name)};\n`;
    this.#texts.push(text);
  }

  argumentOf(schema: Json): string {
    return this.hasPayloadType ? typeArgumentOf(schema) : "";
  }

  text(): string {
    return this.#texts.join("\n");
  }

  /**
   * Returns the TypeScript type of a schema.
   * @param owner prefix for the names of the inner types
   */
  typeOf(schema: Json, owner: string, indent = ""): string {
    const name = nameOf(schema);
    if (name) {
      this.used.add(name);
      return `${name}${this.argumentOf(schema)}`;
    }
    if (isPayload(schema) && !this.hasPayloadType) return "unknown";
    if (isPayload(schema)) return this.direction === "output" ? "Payload | null" : "Payload";
    if ("const" in schema) return JSON.stringify(schema.const);
    if (schema.enum) return this.#enumeration(schema.enum as unknown[]);
    if (schema.anyOf)
      return (schema.anyOf as Json[]).map((part) => this.typeOf(part, owner, indent)).join(" | ");
    if (Array.isArray(schema.type))
      return schema.type.map((type) => this.typeOf({ ...schema, type }, owner, indent)).join(" | ");
    return this.#plain(schema, owner, indent);
  }

  #enumeration(values: unknown[]): string {
    const literals = values.map((value) => JSON.stringify(value)).join(" | ");
    // In a query, a flag is the string "true" or "false". SDK callers may also pass a boolean.
    return literals === '"true" | "false"' && this.direction === "input" ? `boolean | ${literals}` : literals;
  }

  #plain(schema: Json, owner: string, indent: string): string {
    switch (schema.type) {
      case "string":
      case "boolean":
      case "null":
        return schema.type;
      case "integer":
      case "number":
        return "number";
      case "array":
        return this.#array(schema.items as Json, owner, indent);
      case "object":
        return isObject(schema) ? this.#object(schema, owner, indent) : "Record<string, unknown>";
      default:
        throw new Error(`${owner}: no TypeScript for ${JSON.stringify(schema)}`);
    }
  }

  #array(items: Json, owner: string, indent: string): string {
    if (isDeclared(items)) {
      this.declare(owner, items);
      return `${owner}${this.argumentOf(items)}[]`;
    }
    const type = this.typeOf(items, owner, indent);
    return type.includes("|") ? `(${type})[]` : `${type}[]`;
  }

  #object(schema: Json, owner: string, indent: string): string {
    const required = new Set(schema.required as string[] | undefined);
    const inner = `${indent}  `;
    const lines = Object.entries(schema.properties as Record<string, Json>).map(([key, property]) => {
      const type = this.typeOf(property, `${owner}${toPascalCase(singular(key))}`, inner);
      const undefinable = this.direction === "input" && !required.has(key) ? " | undefined" : "";
      const mark = required.has(key) ? "" : "?";
      return `${fieldComment(property, inner)}${inner}${key}${mark}: ${type}${undefinable};\n`;
    });
    return `{\n${lines.join("")}${indent}}`;
  }

  /** Declares a type for each variant of a union discriminated by `type`. Returns the union. */
  #variants(schema: Json, name: string): string {
    const parts = schema.anyOf as Json[] | undefined;
    if (!parts?.every(isObject)) return this.typeOf({ ...schema, description: undefined }, name);
    return parts
      .map((part) => {
        const { type } = part.properties as { type: { const: string } };
        this.declare(`${name}${toPascalCase(type.const)}`, part, (type as Json).description as string);
        return `${name}${toPascalCase(type.const)}${this.argumentOf(part)}`;
      })
      .join(" | ");
  }
}

/** Returns `<Payload = unknown>` if the schema contains a payload, otherwise `""`. */
export function typeParameterOf(schema: unknown): string {
  return containsPayload(schema) ? "<Payload = unknown>" : "";
}

/** Returns `<Payload>` if the schema contains a payload, otherwise `""`. */
export function typeArgumentOf(schema: unknown): string {
  return containsPayload(schema) ? "<Payload>" : "";
}

export function isObject(schema: Json): boolean {
  return schema.type === "object" && schema.properties !== undefined;
}

export function isDeclared(schema: Json): boolean {
  return isObject(schema) && !nameOf(schema);
}

function singular(name: string): string {
  return name.replace(/s$/, "");
}
