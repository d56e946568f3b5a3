/** Converts tool calls to operations of the contract. */
import { invalid, WireroomError } from "../../src/contract/errors.js";
import type { Operation } from "../../src/contract/operation.js";
import { type McpTool, mcpTools } from "../../src/generate/mcp.js";
import type { Invocation } from "../../src/service/pipeline/invoke.js";
import { parseObjects, takeJsonText } from "./json-text.js";

const tools = new Map(mcpTools.map((tool) => [tool.definition.name, tool]));

export function toolByName(name: string): McpTool | undefined {
  return tools.get(name);
}

export interface ToolCall extends Invocation {
  operation: Operation;
}

export type Arguments = Record<string, unknown>;

/**
 * Returns the operation of a tool call, with its input. If the arguments are invalid, the input is the error,
 * which `invoke` returns to the client.
 */
export function toToolCall(tool: McpTool, args: Readonly<Arguments> | WireroomError): ToolCall {
  if (args instanceof WireroomError) return { operation: tool.operation, input: args };
  // The object has no prototype, so that a field named `__proto__` is rejected like any other unknown field.
  const input = Object.assign(Object.create(null) as Arguments, args);
  try {
    const operation = takeOperation(tool, input);
    takeJsonText(tool, input);
    parseObjects(tool, input);
    const idempotencyKey = operation.idempotent ? takeIdempotencyKey(operation, input) : undefined;
    return { operation, input: asInRest(tool, operation, input), idempotencyKey };
  } catch (error) {
    if (error instanceof WireroomError) return { operation: tool.operation, input: error };
    throw error;
  }
}

/**
 * Returns the operation that the arguments of a tool select. Removes an argument that only selects the
 * operation.
 */
function takeOperation({ operation, merged }: McpTool, input: Arguments): Operation {
  if (!merged) return operation;
  const { chosenBy, defaults } = merged.as;
  const callsMerged =
    "absent" in chosenBy ? !(chosenBy.absent in input) : takeBoolean(chosenBy.isFalse, input) === false;
  if (!callsMerged) return operation;
  for (const [name, value] of Object.entries(defaults ?? {})) input[name] ??= value;
  return merged.operation;
}

function takeBoolean(name: string, input: Arguments): boolean | undefined {
  const { [name]: value } = input;
  delete input[name];
  if (value === undefined || typeof value === "boolean") return value;
  throw mistyped(name, "boolean");
}

function takeIdempotencyKey({ nullIsAbsent }: Operation, input: Arguments): string | undefined {
  const { idempotency_key: value } = input;
  delete input.idempotency_key;
  if (value === undefined || (value === null && nullIsAbsent)) return undefined;
  if (typeof value === "string") return value;
  throw mistyped("idempotency_key", "string");
}

/** Converts booleans to "true" and "false" for query fields, because query fields are strings in REST. */
function asInRest({ tool }: McpTool, { fields }: Operation, input: Arguments): Arguments {
  for (const name of Object.keys(tool.arguments ?? {})) {
    if (fields[name]?.place === "query" && typeof input[name] === "boolean")
      input[name] = String(input[name]);
  }
  return input;
}

function mistyped(name: string, type: string): WireroomError {
  return invalid({ instancePath: `/${name}`, keyword: "type", message: `must be ${type}` });
}
