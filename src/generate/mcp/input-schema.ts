/** A tool's `inputSchema`: path, query and body fields of its operations in one flat object (decisions, section 8). */
import type { Operation } from "../../contract/operation.js";
import type { Tool } from "../../contract/tool.js";
import { describedField, type Json, share } from "./schemas.js";

export type InputSchema = { type: "object"; properties: Record<string, Json> } & Json;

/** @param operations the one that the tool mirrors, and one that is folded in */
export function inputSchema(tool: Tool, operations: readonly Operation[]): InputSchema {
  const properties: Record<string, unknown> = {};
  for (const { fields } of operations) {
    for (const [name, { schema }] of Object.entries(fields)) properties[name] ??= schema;
  }
  Object.assign(properties, tool.arguments);
  if (operations.some(({ idempotent }) => idempotent)) properties.idempotency_key = IDEMPOTENCY_KEY;
  const required = requiredOf(operations);
  return share({
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
  description: "The same key with the same arguments acts once in 24 hours.",
};

/** What every one of the operations requires. */
function requiredOf(operations: readonly Operation[]): string[] {
  const names = Object.keys(operations[0]!.fields);
  return names.filter((name) => operations.every(({ fields }) => fields[name]?.required));
}
