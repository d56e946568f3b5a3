/**
 * The call of one tool as clients of the revisions up to 2025-11-25 make it, with nothing around it that the protocol's own
 * machinery would have to look at. Such calls are most of the traffic, and half of their time went into that machinery.
 */
import type { IncomingMessage } from "node:http";
import type { McpTool } from "../../src/generate/mcp.js";
import { toolNamed } from "./tools.js";

export interface PlainCall {
  id: string | number;
  tool: McpTool;
  /** Of `params`; undefined where there are none. */
  arguments: unknown;
}

/** Revisions whose requests say nothing of themselves but what they ask for; the first is meant where none is named. */
const REVISIONS = new Set(["2025-03-26", "2025-06-18", "2025-11-25", "2024-11-05", "2024-10-07"]);

const MESSAGE = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS = new Set(["name", "arguments"]);

/** The call, where a request is one; undefined for everything else, and wherever anything is amiss. */
export function plainCall({ headers }: IncomingMessage, message: unknown): PlainCall | undefined {
  const { accept = "", "mcp-protocol-version": revision = "2025-03-26" } = headers;
  if (!accept.includes("application/json") || !accept.includes("text/event-stream")) return undefined;
  if (!REVISIONS.has(String(revision)) || "mcp-method" in headers || "mcp-name" in headers) return undefined;
  if (!isObjectOf(message, MESSAGE)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isObjectOf(params, PARAMS)) return undefined;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  const tool = typeof params.name === "string" ? toolNamed(params.name) : undefined;
  return tool && { id: id as string | number, tool, arguments: params.arguments };
}

function isObjectOf(value: unknown, fields: ReadonlySet<string>): value is Record<string, unknown> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  return Object.keys(value).every((name) => fields.has(name));
}
