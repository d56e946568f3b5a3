/**
 * Builds the `inputSchema` of an MCP tool: one flat object with the path, query and body fields of its
 * operations (docs/specification/agent-operations.md#input).
 */
import type { TSchema } from "typebox";
import { Cursor, CursorOrLatest, PageLimit, PostingRights, stringEnum, Wait } from "../../contract/fields.js";
import type { Operation } from "../../contract/operation.js";
import type { Tool } from "../../contract/tool.js";
import { Type } from "../../contract/type.js";
import { argumentSchema, type Json } from "./schemas.js";

export type InputSchema = { type: "object"; properties: Record<string, Json> } & Json;

export interface ToolArguments {
  properties: Record<string, TSchema>;
  required: string[];
}

/** @param operations the tool's own operation, followed by the merged operations */
export function toolArguments(tool: Tool, operations: readonly Operation[]): ToolArguments {
  const properties: Record<string, TSchema> = {};
  for (const { fields } of operations)
    for (const [name, { schema }] of Object.entries(fields)) properties[name] ??= schema;
  Object.assign(properties, tool.arguments);
  if (tool.clears) properties.clear = clearArgument(Object.keys(tool.clears));
  if (operations.some(({ idempotent }) => idempotent)) properties.idempotency_key = IDEMPOTENCY_KEY;
  return { properties, required: requiredOf(operations) };
}

/**
 * Returns the input schema of a tool. It has no `additionalProperties`, because Gemini rejects tools with
 * this keyword, and not every host removes it.
 */
export function inputSchema(tool: Tool, { properties, required }: ToolArguments): InputSchema {
  const schemas = Object.entries(properties).map(([name, schema]) => {
    const description = tool.descriptions?.[name] ?? SHORT_DESCRIPTIONS.get(schema);
    const shown = tool.shownAsText?.includes(name) ? { type: "string" } : (schema as Json);
    return [name, argumentSchema(shown, description)] as const;
  });
  return {
    type: "object",
    properties: Object.fromEntries(schemas),
    ...(required.length > 0 && { required }),
  };
}

/** Descriptions of fields that several tools share. They are shorter than in REST. */
const SHORT_DESCRIPTIONS = new Map<TSchema, string>([
  [Cursor, "The `next_cursor` of the previous page."],
  [CursorOrLatest, "The last `next_cursor`, or `latest`: skips all wires so far."],
  [PageLimit, "Default: 50."],
  [Wait, "Seconds to hold the call if nothing is new."],
  [PostingRights, "Who may post: `anyone` who can read, `members` except readers, or `mods`."],
]);

const IDEMPOTENCY_KEY = Type.String({
  description: "A repeat with this key has no further effect.",
});

const clearArgument = (names: string[]) =>
  Type.Array(stringEnum(names, {}), {
    description: 'Empties these fields. Elsewhere null, "" and [] change nothing.',
  });

function requiredOf(operations: readonly Operation[]): string[] {
  const names = Object.keys(operations[0]!.fields);
  return names.filter((name) => operations.every(({ fields }) => fields[name]?.required));
}
