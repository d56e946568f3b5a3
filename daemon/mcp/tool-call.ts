/** Converts MCP tool calls to calls of the contract's operations. */
import { invalid, WireroomError } from "../../src/contract/errors.js";
import type { Operation } from "../../src/contract/operation.js";
import { type McpTool, mcpTools } from "../../src/generate/mcp.js";
import { JsonError, parseJson } from "../../src/kernel/strict-json.js";
import type { Invocation } from "../../src/service/dispatch/invoke.js";

const tools = new Map(mcpTools.map((tool) => [tool.definition.name, tool]));

export function toolByName(name: string): McpTool | undefined {
  return tools.get(name);
}

export interface ToolCall extends Invocation {
  operation: Operation;
}

export type Arguments = Record<string, unknown>;

/**
 * Returns a tool call's operation and input. If the arguments are invalid, the input is the error, so that
 * `invoke` can return it to the client.
 */
export function toToolCall(tool: McpTool, args: Readonly<Arguments> | WireroomError): ToolCall {
  if (args instanceof WireroomError) return { operation: tool.operation, input: args };
  // The object has no prototype, so a field named `__proto__` is rejected like any other unknown field.
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

/** Returns the operation that the arguments select, and removes the argument that only selects it. */
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

/** Converts booleans in query fields to "true" and "false", because REST query fields are strings. */
function asInRest({ tool }: McpTool, { fields }: Operation, input: Arguments): Arguments {
  for (const name of Object.keys(tool.arguments ?? {})) {
    if (fields[name]?.place === "query" && typeof input[name] === "boolean")
      input[name] = String(input[name]);
  }
  return input;
}

function mistyped(name: string, type: string): WireroomError {
  return problem(`/${name}`, "type", `must be ${type}`);
}

/**
 * Parses JSON text in arguments that REST defines as objects, because some hosts can pass a free-form object
 * only as text (docs/specification/agent-operations.md#input). Throws VALIDATION_ERROR.
 */
function parseObjects({ openObjects }: McpTool, input: Arguments): void {
  for (const [name, inner] of openObjects) {
    const value = input[name!];
    if (inner === undefined) {
      if (isText(value)) input[name!] = parse(value, [name!]);
    } else if (isObject(value) && isText(value[inner]))
      input[name!] = { ...value, [inner]: parse(value[inner], [name!, inner]) };
  }
}

/**
 * Parses the JSON text of arguments such as `payload_json`, and stores the values in the corresponding
 * fields. Throws VALIDATION_ERROR.
 */
function takeJsonText({ tool: { jsonText = {} } }: McpTool, input: Arguments): void {
  for (const [name, field] of Object.entries(jsonText)) {
    const { [name]: text } = input;
    delete input[name];
    if (text === undefined || text === null) continue;
    if (typeof text !== "string") throw mistyped(name, "string");
    if (input[field] !== undefined && input[field] !== null)
      throw problem(`/${name}`, "not", `must be left out if \`${field}\` is present`);
    input[field] = parse(text, [name]);
  }
}

/** Returns whether the value is an object as JSON text. Other strings are rejected, as over REST. */
function isText(value: unknown): value is string {
  return typeof value === "string" && /^\s*\{/.test(value);
}

function isObject(value: unknown): value is Arguments {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function parse(text: string, path: string[]): unknown {
  try {
    return parseJson(text, -path.length, "the text");
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw problem(`/${path.join("/")}${error.pointer}`, "json", error.message);
  }
}

function problem(instancePath: string, keyword: string, message: string): WireroomError {
  return invalid({ instancePath, keyword, message });
}
