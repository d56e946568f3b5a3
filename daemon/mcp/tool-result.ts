/** What a tool answers: the REST response body, or the error envelope (decisions, section 8). */
import type { WireroomError } from "../../src/contract/errors.js";
import { type McpTool, OTHERS_WORDS } from "../../src/generate/mcp.js";
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

/** The same as JSON. */
export function succeededJson({ tool }: McpTool, body: string): string {
  const json = asObject(body);
  const warning = tool.carriesOthersWords ? `${JSON.stringify(text(OTHERS_WORDS))},` : "";
  return `{"content":[${warning}{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`;
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
