/** Builds MCP tool results. They contain the REST response body or a JSON error body. */
import type { WireroomError } from "../../src/contract/errors.js";
import type { Tool } from "../../src/contract/tool.js";
import { type McpTool, UNTRUSTED_CONTENT_NOTICE } from "../../src/generate/mcp.js";
import { escapeJsonBytes, type JsonText, jsonToString } from "../../src/kernel/raw-json.js";

/** MCP's `CallToolResult`, valid in all protocol revisions. */
export interface ToolResult {
  content: { type: "text"; text: string }[];
  /** A string is a placeholder for JSON, which {@link Placeholders} inserts later. */
  structuredContent: Record<string, unknown> | string;
  isError?: true;
  [key: string]: unknown;
}

export function errorResult(error: WireroomError): ToolResult {
  const envelope = error.envelope();
  return { content: [text(JSON.stringify(envelope))], structuredContent: { ...envelope }, isError: true };
}

/** @param body the REST response body as JSON */
export function successResult({ tool }: McpTool, body: string, placeholders: Placeholders): ToolResult {
  const json = asObject(body);
  const content = [text(placeholders.add(JSON.stringify(json)))];
  if (hasUntrustedContent(tool, json)) content.unshift(text(UNTRUSTED_CONTENT_NOTICE));
  return { content, structuredContent: placeholders.add(json) };
}

/**
 * Returns the JSON of a `CallToolResult` in parts to concatenate.
 * @param body the REST response body as JSON
 */
export function successResultJson({ tool }: McpTool, body: JsonText): JsonText[] {
  const warning = hasUntrustedContent(tool, body) ? `${JSON.stringify(text(UNTRUSTED_CONTENT_NOTICE))},` : "";
  const before = `{"content":[${warning}{"type":"text","text":`;
  const between = '}],"structuredContent":';
  // A body in bytes is always a JSON object, which needs no wrapper object.
  if (typeof body !== "string") return [`${before}"`, escapeJsonBytes(body), `"${between}`, body, "}"];
  const json = asObject(jsonToString(body));
  return [`${before}${JSON.stringify(json)}${between}${json}}`];
}

function hasUntrustedContent({ returnsUntrustedContent: found }: Tool, body: JsonText): boolean {
  if (typeof found === "boolean") return found;
  return ((JSON.parse(jsonToString(body)) as Record<string, unknown>)[found.field] ?? null) !== null;
}

/** Structured content must be an object, so an array becomes the field `results`. */
function asObject(body: string): string {
  return body.startsWith("[") ? `{"results":${body}}` : body;
}

function text(value: string): ToolResult["content"][number] {
  return { type: "text", text: value };
}

/**
 * Inserts JSON into a response after an SDK has serialised it, because the SDK would parse each page of wires
 * once and serialise it three times.
 */
export class Placeholders {
  private readonly replacements: string[] = [];

  /** @param secret an unpredictable string, so that no text from a client can equal a placeholder */
  constructor(private readonly secret: string) {}

  add(json: string): string {
    this.replacements.push(json);
    return this.placeholder(this.replacements.length - 1);
  }

  fill(response: string): string {
    return this.replacements.reduce(
      (filled, json, n) => filled.replace(`"${this.placeholder(n)}"`, () => json),
      response,
    );
  }

  private placeholder(n: number): string {
    return `${this.secret}:${n}`;
  }
}
