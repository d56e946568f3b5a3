/** Tools, and how their arguments become an operation and its input. */
import { invalid, WireroomError } from "../../src/contract/errors.js";
import type { Operation } from "../../src/contract/operation.js";
import { type McpTool, mcpTools } from "../../src/generate/mcp.js";
import type { Invocation } from "../../src/service/pipeline/invoke.js";

const tools = new Map(mcpTools.map((tool) => [tool.definition.name, tool]));

export function toolNamed(name: string): McpTool | undefined {
  return tools.get(name);
}

export interface ToolCall extends Invocation {
  operation: Operation;
}

export type Arguments = Record<string, unknown>;

/** The operation that a call means, and its input or the error in its arguments, which `invoke` answers. */
export function toolCall(tool: McpTool, given: Readonly<Arguments> | WireroomError): ToolCall {
  if (given instanceof WireroomError) return { operation: tool.operation, input: given };
  // Without a prototype, so that an argument named `__proto__` is one more unknown field.
  const input = Object.assign(Object.create(null) as Arguments, given);
  try {
    const operation = takeOperation(tool, input);
    const idempotencyKey = operation.idempotent ? takeIdempotencyKey(operation, input) : undefined;
    return { operation, input: asInRest(tool, operation, input), idempotencyKey };
  } catch (error) {
    if (error instanceof WireroomError) return { operation: tool.operation, input: error };
    throw error;
  }
}

/** Returns the operation that the arguments choose, and removes the argument that only chooses. */
function takeOperation({ operation, folded }: McpTool, input: Arguments): Operation {
  if (!folded) return operation;
  const { chosenBy, defaults } = folded.as;
  const isFolded =
    "absent" in chosenBy ? !(chosenBy.absent in input) : takeBoolean(chosenBy.isFalse, input) === false;
  if (!isFolded) return operation;
  for (const [name, value] of Object.entries(defaults ?? {})) input[name] ??= value;
  return folded.operation;
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

/** Booleans become the words `true` and `false` for fields that REST has in the query. */
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
