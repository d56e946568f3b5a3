/** JSON Schema → TypeScript, for the few kinds of schema that the contract is made of. */
import { comment, fieldComment } from "./comments.js";
import { holdsPayload, isPayload, type Json, nameOf, pascal } from "./names.js";

/** Collects the declarations of one generated file, and the named shapes that they refer to. */
export class Declarations {
  readonly used = new Set<string>();
  readonly #texts: string[] = [];

  /** @param direction what callers give may leave fields undefined; what they get may hold null as a payload */
  constructor(readonly direction: "input" | "output") {}

  /**
   * Declares a type under a name, with what is inside it.
   * @param owner what the names of shapes found inside it begin with
   */
  declare(name: string, schema: Json, about?: string, owner = name): void {
    const head = comment([about ?? (schema.description as string | undefined)]);
    const generic = `${name}${parameter(schema)}`;
    const text = isObject(schema)
      ? `${head}export interface ${generic} ${this.#object(schema, owner, "")}\n`
      : `${head}export type ${generic} = ${this.#variants(schema, name)};\n`;
    this.#texts.push(text);
  }

  text(): string {
    return this.#texts.join("\n");
  }

  /** The type of a schema. @param owner what the names of shapes found inside it begin with */
  typeOf(schema: Json, owner: string, indent = ""): string {
    const name = nameOf(schema);
    if (name) {
      this.used.add(name);
      return `${name}${argument(schema)}`;
    }
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
    // A query parameter's flag is a word; callers may give a boolean.
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
    if (isObject(items) && !nameOf(items)) {
      this.declare(owner, items);
      return `${owner}${argument(items)}[]`;
    }
    const type = this.typeOf(items, owner, indent);
    return type.includes("|") ? `(${type})[]` : `${type}[]`;
  }

  #object(schema: Json, owner: string, indent: string): string {
    const required = new Set(schema.required as string[] | undefined);
    const inner = `${indent}  `;
    const lines = Object.entries(schema.properties as Record<string, Json>).map(([key, property]) => {
      const type = this.typeOf(property, `${owner}${pascal(singular(key))}`, inner);
      const undefinable = this.direction === "input" && !required.has(key) ? " | undefined" : "";
      const mark = required.has(key) ? "" : "?";
      return `${fieldComment(property, inner)}${inner}${key}${mark}: ${type}${undefinable};\n`;
    });
    return `{\n${lines.join("")}${indent}}`;
  }

  /** A union told apart by `type`: each part under a name of its own. */
  #variants(schema: Json, name: string): string {
    const parts = schema.anyOf as Json[] | undefined;
    if (!parts?.every(isObject)) return this.typeOf({ ...schema, description: undefined }, name);
    return parts
      .map((part) => {
        const { type } = part.properties as { type: { const: string } };
        this.declare(`${name}${pascal(type.const)}`, part, (type as Json).description as string);
        return `${name}${pascal(type.const)}${argument(part)}`;
      })
      .join(" | ");
  }
}

/** `<Payload = unknown>` where a type takes the payload's. */
export function parameter(schema: unknown): string {
  return holdsPayload(schema) ? "<Payload = unknown>" : "";
}

/** `<Payload>` where a type takes the payload's. */
export function argument(schema: unknown): string {
  return holdsPayload(schema) ? "<Payload>" : "";
}

export function isObject(schema: Json): boolean {
  return schema.type === "object" && schema.properties !== undefined;
}

function singular(name: string): string {
  return name.replace(/s$/, "");
}
