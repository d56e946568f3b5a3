/**
 * The documented rules of model providers for the tools in a request. A request that breaks a rule is
 * rejected as a whole, so that one tool takes away all others. Each function returns a line for each
 * violation.
 */
import { Ajv } from "ajv";
import type { Body } from "../harness/daemon.js";

interface Schema {
  type?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  required?: string[];
  [keyword: string]: unknown;
}

/** A function as a provider receives it. */
export interface SentTool {
  name: string;
  description: string;
  parameters: Schema;
}

type Rule = (node: Schema, path: string) => string[];

/** Applies a rule to a schema and to the schemas in it. */
function check(node: Schema, rule: Rule, path: string): string[] {
  const inner = [
    ...Object.entries(node.properties ?? {}),
    ...(node.items ? [["items", node.items] as const] : []),
    ...(node.anyOf ?? []).map((each, n) => [`anyOf[${n}]`, each] as const),
  ];
  return [...rule(node, path), ...inner.flatMap(([name, each]) => check(each, rule, `${path}/${name}`))];
}

function when(violated: boolean, path: string, what: string): string[] {
  return violated ? [`${path}: ${what}`] : [];
}

/**
 * OpenAI's and Anthropic's pattern. Gemini also allows dots, and requires a letter or underscore at the
 * start.
 */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/**
 * `function.name` and `function.description` in
 * https://platform.openai.com/docs/api-reference/chat/create#chat-create-tools
 */
function named({ name, description }: SentTool): string[] {
  return [
    ...when(!NAME.test(name), name, "invalid name"),
    ...when(
      description === "" || description.length > 1_024,
      name,
      "no description, or a longer one than 1,024",
    ),
  ];
}

const GEMINI_KEYS = new Set(
  "type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum".split(
    " ",
  ),
);
const GEMINI_TYPES = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"];

/** `parameters` of Gemini: https://ai.google.dev/api/caching#Schema */
export function geminiViolations(tool: SentTool): string[] {
  return [...named(tool), ...check(tool.parameters, geminiRule, tool.name)];
}

const geminiRule: Rule = (node, path) => {
  const type = String(node.type).toUpperCase();
  const properties = Object.keys(node.properties ?? {});
  return [
    ...Object.keys(node).flatMap((key) => when(!GEMINI_KEYS.has(key), path, `unknown field ${key}`)),
    // "Proto field is not repeating, cannot start list"
    ...when(
      typeof node.type !== "string" || !GEMINI_TYPES.includes(type),
      path,
      `type ${JSON.stringify(node.type)}`,
    ),
    ...when(
      type === "OBJECT" && properties.length === 0,
      path,
      "properties: should be non-empty for OBJECT type",
    ),
    ...when(type === "ARRAY" && !node.items, path, "items: missing field"),
    ...when(
      type !== "OBJECT" && (!!node.properties || !!node.required),
      path,
      "only allowed for OBJECT type",
    ),
    ...(node.required ?? []).flatMap((name) =>
      when(!properties.includes(name), path, `${name} is not defined`),
    ),
    ...when(!!node.enum && type !== "STRING", path, "enum: only allowed for STRING type"),
    ...when(!!node.enum?.some((each) => typeof each !== "string" || each === ""), path, "enum: no string"),
    // "When using any_of, it must be the only field set" (Vertex AI)
    ...when(!!node.anyOf && Object.keys(node).length > 1, path, "any_of: other fields"),
  ];
};

/**
 * A function without `strict`, and `input_schema` of Anthropic: JSON Schema with an object and no
 * alternatives at its root.
 */
export function functionViolations(tool: SentTool): string[] {
  const { name, parameters } = tool;
  const isObject = parameters.type === "object" && !!parameters.properties;
  const atRoot = ["anyOf", "oneOf", "allOf", "enum", "not"].filter((key) => key in parameters);
  return [
    ...named(tool),
    ...when(!isObject, name, "the root is no object with properties"),
    ...atRoot.flatMap((key) => when(true, name, `${key} at the root`)),
    ...check(
      parameters,
      (node, path) => when(node.type === "array" && !node.items, path, "array without items"),
      name,
    ),
  ];
}

/** `strict: true`: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas */
export function strictViolations(tool: SentTool): string[] {
  return [...functionViolations(tool), ...check(tool.parameters, strictRule, tool.name)];
}

const STRICT_TYPES = ["string", "number", "boolean", "integer", "object", "array", "null"];

const strictRule: Rule = (node, path) => {
  const properties = Object.keys(node.properties ?? {});
  const types = Array.isArray(node.type) ? node.type : [node.type];
  return [
    ...when(!node.anyOf && !types.every((type) => STRICT_TYPES.includes(type)), path, "a type is required"),
    ...when(
      types.includes("object") && node.additionalProperties !== false,
      path,
      "additionalProperties is not false",
    ),
    ...when(
      properties.some((name) => !node.required?.includes(name)),
      path,
      "a property is not required",
    ),
    ...["allOf", "oneOf", "not", "if", "dependentRequired", "patternProperties"].flatMap((key) =>
      when(key in node, path, `${key} is not supported`),
    ),
  ];
};

const draft7 = new Ajv();

/**
 * The checks of VS Code, which rejects a request with an invalid tool: `toolSchemaNormalizer.ts` of
 * https://github.com/microsoft/vscode-copilot-chat. It also removes what a model does not support, so that
 * its bounds are lost.
 */
export function vsCodeViolations(tool: SentTool): string[] {
  const isValid = draft7.validateSchema(tool.parameters) === true;
  return [...functionViolations(tool), ...when(!isValid, tool.name, "no schema of draft 7")];
}

/** Returns the functions of a request to Gemini. */
export function geminiTools({ tools }: Body): SentTool[] {
  return tools.flatMap((tool: Body) => tool.functionDeclarations);
}
