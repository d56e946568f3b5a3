/**
 * A tool's `outputSchema`: the REST response body of its operations, or the error envelope. The envelope has to be there,
 * as clients hold `structuredContent` against the schema in results that are errors too.
 */
import type { TSchema } from "typebox";
import { operations } from "../../contract/index.js";
import { type Json, namesAndTypes } from "./schemas.js";

export type OutputSchema = { type: "object"; properties: Record<string, Json> } & Json;

/** @param outputs of the operation that the tool mirrors, and of one that is folded in */
export function outputSchema(outputs: readonly TSchema[]): OutputSchema {
  const objects = outputs.map(asObject);
  // One field tells a shape from the others; all of them would cost more than they tell.
  const telling = new Set(objects.map(({ required }) => required[0]!));
  return {
    type: "object",
    properties: Object.assign({}, ...objects.map(({ properties }) => outlines(properties))),
    anyOf: [...[...telling].map((name) => ({ required: [name] })), { required: ["code", "message"] }],
  };
}

interface ObjectSchema {
  properties: Json;
  required: string[];
}

/** MCP wants an object at the root: an array is wrapped (decisions, section 8). */
function asObject(schema: TSchema): ObjectSchema {
  if ((schema as Json).type !== "array") return schema as unknown as ObjectSchema;
  return { properties: { results: schema }, required: ["results"] };
}

function outlines(properties: Json): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, outline(field as Json)]),
  );
}

/** A field: the items of a list show theirs, of any other object, such as a posting rule, it is enough that it is one. */
function outline(field: Json): Json {
  const { type, items, anyOf, properties } = field;
  if (type === "array") return { type, items: itemOf(items as Json) };
  if (properties) return { type };
  const alternatives = anyOf as Json[] | undefined;
  if (alternatives) return { type: alternatives.map((one) => one.type) };
  const { type: implied, ...rest } = namesAndTypes(field);
  return "enum" in rest || "const" in rest ? rest : { type: implied, ...rest };
}

/** One of a list. What another tool returns by itself is described there. */
function itemOf(schema: Json): Json {
  const { type, anyOf, properties } = schema;
  const tool = RETURNED_BY.get(JSON.stringify(schema));
  if (tool) return { type, description: `As ${tool} returns it.` };
  if (anyOf) return { anyOf: (anyOf as Json[]).map(itemOf) };
  return properties ? { type, properties: outlines(properties as Json) } : namesAndTypes(schema);
}

/** Names of tools by what they return. */
const RETURNED_BY = new Map(
  operations.flatMap(({ tool, output }) =>
    tool && "name" in tool ? [[JSON.stringify(output), tool.name] as const] : [],
  ),
);
