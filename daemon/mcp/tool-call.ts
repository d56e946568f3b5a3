/** Converts MCP tool calls to calls of the contract's operations. */
import { WireroomError } from "../../src/contract/errors.js";
import type { Operation } from "../../src/contract/operation.js";
import { type McpTool, mcpTools } from "../../src/generate/mcp.js";
import type { Invocation } from "../../src/service/dispatch/invoke.js";
import { type Arguments, argumentError, parseArgument, readFields } from "./arguments.js";

const tools = new Map(mcpTools.map((tool) => [tool.definition.name, tool]));

export function toolByName(name: string): McpTool | undefined {
  return tools.get(name);
}

export interface ToolCall extends Invocation {
  operation: Operation;
}

/**
 * Returns a tool call's operation and input. Invalid arguments become an error as the input, which `invoke`
 * returns to the client.
 */
export function toToolCall(tool: McpTool, args: Readonly<Arguments> | WireroomError): ToolCall {
  if (args instanceof WireroomError) return { operation: tool.operation, input: args };
  try {
    const input = readFields(tool.arguments, args);
    const operation = takeOperation(tool, input);
    takeJsonText(tool, input);
    takeClear(tool, input);
    const idempotencyKey = operation.idempotent ? takeIdempotencyKey(input) : undefined;
    return { operation, input: asInRest(tool, operation, input), idempotencyKey };
  } catch (error) {
    if (error instanceof WireroomError) return { operation: tool.operation, input: error };
    throw error;
  }
}

/**
 * Returns the operation that the arguments select, and removes the selecting argument. Also removes default
 * values of arguments that the operation does not have, which some hosts send in every call.
 */
function takeOperation({ operation, merged }: McpTool, input: Arguments): Operation {
  const chosen = merged.find(({ as: { chosenBy } }) => {
    if ("absent" in chosenBy) return !(chosenBy.absent in input);
    return "isTrue" in chosenBy
      ? takeBoolean(chosenBy.isTrue, input) === true
      : takeBoolean(chosenBy.isFalse, input) === false;
  });
  const { fields } = chosen?.operation ?? operation;
  for (const other of merged) {
    for (const [name, value] of Object.entries(other.as.defaults ?? {})) {
      if (!(name in fields)) {
        if (input[name] === value) delete input[name];
      } else if (other === chosen) input[name] ??= value;
    }
  }
  return chosen?.operation ?? operation;
}

function takeBoolean(name: string, input: Arguments): boolean | undefined {
  const { [name]: value } = input;
  delete input[name];
  if (value === undefined || typeof value === "boolean") return value;
  throw mistyped(name, "boolean");
}

function takeIdempotencyKey(input: Arguments): string | undefined {
  const { idempotency_key: value } = input;
  delete input.idempotency_key;
  if (value === undefined || typeof value === "string") return value;
  throw mistyped("idempotency_key", "string");
}

/**
 * Converts booleans in query fields to "true" and "false", because REST query fields are strings. Removes a
 * `wait` of 0 if the requested order does not allow `wait`, because some hosts send every default.
 */
function asInRest({ tool }: McpTool, { fields }: Operation, input: Arguments): Arguments {
  if (fields.order && input.order !== "oldest" && input.wait === 0) delete input.wait;
  for (const name of Object.keys(tool.arguments ?? {})) {
    if (fields[name]?.place === "query" && typeof input[name] === "boolean")
      input[name] = String(input[name]);
  }
  return input;
}

function mistyped(name: string, type: string): WireroomError {
  return argumentError(`/${name}`, "type", `must be ${type}`);
}

/**
 * Parses JSON text in arguments such as `payload_json` into the corresponding fields. Throws
 * VALIDATION_ERROR.
 */
function takeJsonText({ tool: { jsonText = {} } }: McpTool, input: Arguments): void {
  for (const [name, field] of Object.entries(jsonText)) {
    const { [name]: text } = input;
    delete input[name];
    if (text === undefined) continue;
    if (typeof text !== "string") throw mistyped(name, "string");
    if (field in input) throw argumentError(`/${name}`, "not", `must be left out if \`${field}\` is present`);
    input[field] = parseArgument(text, [name]);
  }
}

/** Empties the fields that `clear` names. Throws VALIDATION_ERROR if a name is invalid. */
function takeClear({ tool: { clears } }: McpTool, input: Arguments): void {
  const { clear } = input;
  if (!clears || clear === undefined) return;
  delete input.clear;
  if (!Array.isArray(clear)) throw mistyped("clear", "array");
  for (const [index, name] of clear.entries()) {
    if (typeof name !== "string" || !Object.hasOwn(clears, name)) {
      const names = Object.keys(clears).join(", ");
      throw argumentError(`/clear/${index}`, "enum", `must be one of: ${names}`);
    }
    if (name in input)
      throw argumentError(`/clear/${index}`, "not", `must not name \`${name}\`, which has a new value`);
    input[name] = clears[name];
  }
}
