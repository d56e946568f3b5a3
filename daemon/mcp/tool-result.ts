/** What a tool answers: the REST response body, or the error envelope (decisions, section 8). */
import type { WireroomError } from "../../src/contract/errors.js";
import { type McpTool, OTHERS_WORDS } from "../../src/generate/mcp.js";

/** A `CallToolResult`, in every version of the protocol. */
export interface ToolResult {
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: true;
  [key: string]: unknown;
}

/** @param body the REST response body, as JSON */
export function succeeded({ tool }: McpTool, body: string): ToolResult {
  // MCP wants an object.
  const json = body.startsWith("[") ? `{"results":${body}}` : body;
  const content = [text(json)];
  if (tool.carriesOthersWords) content.unshift(text(OTHERS_WORDS));
  return { content, structuredContent: JSON.parse(json) as Record<string, unknown> };
}

export function failed(error: WireroomError): ToolResult {
  const envelope = error.envelope();
  return { content: [text(JSON.stringify(envelope))], structuredContent: { ...envelope }, isError: true };
}

function text(value: string): ToolResult["content"][number] {
  return { type: "text", text: value };
}
