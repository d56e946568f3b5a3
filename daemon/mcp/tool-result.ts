/** What a tool answers: the REST response body, or the error envelope (decisions, section 8). */
import type { WireroomError } from "../../src/contract/errors.js";
import { type McpTool, OTHERS_WORDS } from "../../src/generate/mcp.js";
import { type Json, textOf } from "../../src/kernel/verbatim.js";
import type { ReadyMade } from "./ready-made.js";

/** A `CallToolResult`, in every version of the protocol. */
export interface ToolResult {
  content: { type: "text"; text: string }[];
  /** An object, or the word that stands for one. */
  structuredContent: Record<string, unknown> | string;
  isError?: true;
  [key: string]: unknown;
}

/** @param body the REST response body, as JSON */
export function succeeded({ tool }: McpTool, body: string, readyMade: ReadyMade): ToolResult {
  const json = asObject(body);
  const content = [text(readyMade.wordFor(JSON.stringify(json)))];
  if (tool.carriesOthersWords) content.unshift(text(OTHERS_WORDS));
  return { content, structuredContent: readyMade.wordFor(json) };
}

/** What an operation gave: the REST response body, and the same as it stands within a JSON text, where that is at hand. */
export interface Done {
  body: Json;
  quoted: Json | undefined;
}

/** The same as parts of a JSON text. */
export function succeededJson({ tool }: McpTool, { body, quoted }: Done): Json[] {
  const warning = tool.carriesOthersWords ? `${JSON.stringify(text(OTHERS_WORDS))},` : "";
  const before = `{"content":[${warning}{"type":"text","text":`;
  const between = '}],"structuredContent":';
  // Bytes are a page's, which is an object.
  if (typeof body !== "string" && quoted !== undefined)
    return [`${before}"`, quoted, `"${between}`, body, "}"];
  const json = asObject(textOf(body));
  return [`${before}${JSON.stringify(json)}${between}${json}}`];
}

/** MCP wants an object. */
function asObject(body: string): string {
  return body.startsWith("[") ? `{"results":${body}}` : body;
}

export function failed(error: WireroomError): ToolResult {
  const envelope = error.envelope();
  return { content: [text(JSON.stringify(envelope))], structuredContent: { ...envelope }, isError: true };
}

function text(value: string): ToolResult["content"][number] {
  return { type: "text", text: value };
}
