/** The result of a tool: the REST response body, or the error envelope. */
import type { WireroomError } from "../../src/contract/errors.js";
import { type McpTool, OTHERS_WORDS } from "../../src/generate/mcp.js";
import { type Json, textOf } from "../../src/kernel/verbatim.js";

/** A `CallToolResult`, in every version of the protocol. */
export interface ToolResult {
  content: { type: "text"; text: string }[];
  /** An object, or a placeholder for one. */
  structuredContent: Record<string, unknown> | string;
  isError?: true;
  [key: string]: unknown;
}

export function failed(error: WireroomError): ToolResult {
  const envelope = error.envelope();
  return { content: [text(JSON.stringify(envelope))], structuredContent: { ...envelope }, isError: true };
}

/** @param body the REST response body, as JSON */
export function succeeded({ tool }: McpTool, body: string, placeholders: Placeholders): ToolResult {
  const json = asObject(body);
  const content = [text(placeholders.add(JSON.stringify(json)))];
  if (tool.carriesOthersWords) content.unshift(text(OTHERS_WORDS));
  return { content, structuredContent: placeholders.add(json) };
}

/** What an operation returned. */
export interface ToolOutput {
  /** The REST response body. */
  body: Json;
  /** The body as the content of a JSON string, if the store has quoted it already. */
  quoted: Json | undefined;
}

/** The JSON of a `CallToolResult`, in parts. */
export function succeededJson({ tool }: McpTool, { body, quoted }: ToolOutput): Json[] {
  const warning = tool.carriesOthersWords ? `${JSON.stringify(text(OTHERS_WORDS))},` : "";
  const before = `{"content":[${warning}{"type":"text","text":`;
  const between = '}],"structuredContent":';
  // A body of bytes is a page, which is an object.
  if (typeof body !== "string" && quoted !== undefined)
    return [`${before}"`, quoted, `"${between}`, body, "}"];
  const json = asObject(textOf(body));
  return [`${before}${JSON.stringify(json)}${between}${json}}`];
}

/** Structured content must be an object, so an array is wrapped in one. */
function asObject(body: string): string {
  return body.startsWith("[") ? `{"results":${body}}` : body;
}

function text(value: string): ToolResult["content"][number] {
  return { type: "text", text: value };
}

/**
 * Placeholders for JSON in what the SDKs serialize, replaced by it afterwards. Otherwise a page of wires would be parsed
 * once and serialized three times.
 */
export class Placeholders {
  private readonly replacements: string[] = [];

  /** @param secret what no client can know beforehand, so that no text of a client equals a placeholder */
  constructor(private readonly secret: string) {}

  /** Returns the placeholder for this JSON. */
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
