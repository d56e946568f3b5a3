/**
 * Builds the `outputSchema` of an MCP tool. The schema covers the REST response bodies of its operations. It
 * must also accept the error envelope, because clients validate the `structuredContent` of failed calls too.
 */
import type { TSchema } from "typebox";
import { operations } from "../../contract/index.js";
import type { Json } from "./schemas.js";

export type OutputSchema = { type: "object"; properties: Record<string, Json> } & Json;

/**
 * Returns the output schema of a tool.
 * @param outputs the output of the tool's own operation, then the outputs of the merged operations
 */
export function outputSchema(outputs: readonly TSchema[]): OutputSchema {
  const objects = outputs.map(asObject);
  const properties = Object.assign({}, ...objects.map((object) => object.properties)) as Json;
  const tool = outputs.length === 1 ? toolWithSomeOf(properties) : undefined;
  return {
    type: "object",
    ...(tool && { description: `Has all fields that ${tool.name} returns.` }),
    properties: outlines(tool ? without(properties, Object.keys(tool.properties).slice(1)) : properties),
    // Require only one property, because a list of all required fields would cost tokens.
    minProperties: 1,
  };
}

/**
 * The schema of an output refers to another tool if that tool returns at least this many of the same fields.
 */
const MIN_SHARED_FIELDS = 8;

/**
 * Returns a tool whose fields are all among `fields`. It must have at least `MIN_SHARED_FIELDS` fields, but
 * not all of `fields`.
 */
function toolWithSomeOf(fields: Json): { name: string; properties: Json } | undefined {
  for (const { tool, output } of operations) {
    if (!tool || !("name" in tool)) continue;
    const { properties } = asObject(output);
    const shared = Object.entries(properties).filter(([name, field]) => same(field, fields[name]));
    const isPart =
      shared.length === Object.keys(properties).length && shared.length < Object.keys(fields).length;
    if (isPart && shared.length >= MIN_SHARED_FIELDS) return { name: tool.name, properties };
  }
  return undefined;
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function without(fields: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

interface ObjectSchema {
  properties: Json;
}

/**
 * Wraps an array in an object, because MCP requires an object at the root
 * (docs/specification/agent-operations.md#mcp-tools).
 */
function asObject(schema: TSchema): ObjectSchema {
  if ((schema as Json).type !== "array") return schema as unknown as ObjectSchema;
  return { properties: { results: schema } };
}

function outlines(properties: Json): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, outline(field as Json)]),
  );
}

/**
 * Shortens an output field's schema. Keeps only the values of enumerations and the field names of array
 * items. Omits types, because the names say enough and each type would cost tokens.
 */
function outline(field: Json): Json {
  if (field.type === "array") return { type: "array", ...itemsOf(field.items as Json) };
  return "enum" in field ? { enum: field.enum } : {};
}

/**
 * Describes the items of an array: names the tool that returns the same items, or else lists their fields.
 */
function itemsOf(schema: Json): Json {
  const tool = TOOL_BY_OUTPUT.get(JSON.stringify(schema));
  if (tool) return { description: `As returned by ${tool}.` };
  const kinds = (schema.anyOf as Json[] | undefined) ?? [schema];
  const names = new Set(kinds.flatMap(({ properties }) => Object.keys(properties ?? {})));
  if (names.size === 0) return {};
  return { items: { properties: Object.fromEntries([...names].map((name) => [name, {}])) } };
}

/** Maps an output schema, as JSON, to the name of the tool that returns it. */
const TOOL_BY_OUTPUT = new Map(
  operations.flatMap(({ tool, output }) =>
    tool && "name" in tool ? [[JSON.stringify(output), tool.name] as const] : [],
  ),
);
