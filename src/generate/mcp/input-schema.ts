/**
 * Builds the `inputSchema` of an MCP tool: the path, query and body fields of its operations in one flat object
 * (docs/specification/agent-operations.md#mcp-tools).
 */
import type { Operation } from "../../contract/operation.js";
import type { Tool } from "../../contract/tool.js";
import { describedField, type Json, shareRepeatedSchemas } from "./schemas.js";

export type InputSchema = { type: "object"; properties: Record<string, Json> } & Json;

/**
 * Returns the input schema of a tool.
 * @param operations the tool's own operation, and the operation merged into the tool, if there is one
 */
export function inputSchema(tool: Tool, operations: readonly Operation[]): InputSchema {
  const properties: Record<string, unknown> = {};
  for (const { fields } of operations) {
    for (const [name, { schema }] of Object.entries(fields)) properties[name] ??= schema;
  }
  Object.assign(properties, tool.arguments);
  if (operations.some(({ idempotent }) => idempotent)) properties.idempotency_key = IDEMPOTENCY_KEY;
  const required = requiredOf(operations);
  return shareRepeatedSchemas({
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, describedField(field)]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }) as InputSchema;
}

const IDEMPOTENCY_KEY = {
  type: "string",
  description: "Calls with the same key and arguments take effect once in 24 hours.",
};

/** Returns the names of the fields that all of the operations require. */
function requiredOf(operations: readonly Operation[]): string[] {
  const names = Object.keys(operations[0]!.fields);
  return names.filter((name) => operations.every(({ fields }) => fields[name]?.required));
}
