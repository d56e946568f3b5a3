/**
 * Arguments that are JSON text. Some hosts can pass a JSON object with any properties only as text, such as
 * those that use Gemini, or OpenAI's strict mode (docs/specification/agent-operations.md#input).
 */
import { invalid, type WireroomError } from "../../src/contract/errors.js";
import type { McpTool } from "../../src/generate/mcp.js";
import { JsonError, parseJson } from "../../src/kernel/strict-json.js";
import type { Arguments } from "./tool-call.js";

/** Replaces JSON text by its value, in arguments that REST defines as objects. Throws VALIDATION_ERROR. */
export function parseObjects({ openObjects }: McpTool, input: Arguments): void {
  for (const [name, inner] of openObjects) {
    const value = input[name!];
    if (inner === undefined) {
      if (isText(value)) input[name!] = parse(value, [name!]);
    } else if (isObject(value) && isText(value[inner]))
      input[name!] = { ...value, [inner]: parse(value[inner], [name!, inner]) };
  }
}

/**
 * Moves the values of arguments such as `payload_json` to the fields that they stand for. Throws
 * VALIDATION_ERROR.
 */
export function takeJsonText({ tool: { jsonText = {} } }: McpTool, input: Arguments): void {
  for (const [name, field] of Object.entries(jsonText)) {
    const { [name]: text } = input;
    delete input[name];
    if (text === undefined || text === null) continue;
    if (typeof text !== "string") throw problem(`/${name}`, "type", "must be string");
    if (input[field] !== undefined && input[field] !== null)
      throw problem(`/${name}`, "not", `must be left out if \`${field}\` is present`);
    input[field] = parse(text, [name]);
  }
}

/**
 * Whether the value is the text of an object. Other strings stay as they are, and are rejected as over REST.
 */
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
