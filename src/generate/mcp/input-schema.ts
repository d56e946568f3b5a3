/**
 * Builds the `inputSchema` of an MCP tool: one flat object with the path, query and body fields of its
 * operations (docs/specification/agent-operations.md#input).
 */
import type { TSchema } from "typebox";
import { Cursor, CursorOrLatest, PageLimit, PostingRights, Wait } from "../../contract/fields.js";
import type { Operation } from "../../contract/operation.js";
import type { Tool } from "../../contract/tool.js";
import { argumentSchema, type Json } from "./schemas.js";

export type InputSchema = { type: "object"; properties: Record<string, Json> } & Json;

/**
 * Returns the input schema of a tool.
 * @param operations the tool's own operation, then the merged operation if it has one
 */
export function inputSchema(tool: Tool, operations: readonly Operation[]): InputSchema {
  const properties: Record<string, Json> = {};
  for (const { fields } of operations) {
    for (const [name, { schema }] of Object.entries(fields)) {
      properties[name] ??= argumentSchema(
        schema as Json,
        tool.descriptions?.[name] ?? SHORT_DESCRIPTIONS.get(schema),
      );
    }
  }
  Object.assign(properties, tool.arguments);
  if (operations.some(({ idempotent }) => idempotent)) properties.idempotency_key = IDEMPOTENCY_KEY;
  const required = requiredOf(operations);
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
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

const IDEMPOTENCY_KEY = {
  type: "string",
  description: "Repeated calls with this key have no further effect.",
};

/** Returns the names of fields that all the operations require. */
function requiredOf(operations: readonly Operation[]): string[] {
  const names = Object.keys(operations[0]!.fields);
  return names.filter((name) => operations.every(({ fields }) => fields[name]?.required));
}
