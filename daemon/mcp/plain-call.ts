/**
 * Recognizes a plain call: one `tools/call` of a revision up to 2025-11-25, with nothing that needs an SDK. Most traffic is plain
 * calls, and half of their time went into the SDKs (docs/decisions/007).
 */
import type { IncomingMessage } from "node:http";
import type { McpTool } from "../../src/generate/mcp.js";
import { toolNamed } from "./tool-call.js";

export interface PlainCall {
  id: string | number;
  tool: McpTool;
  arguments: unknown;
}

/** Revisions whose requests carry no metadata; the first is assumed if a request names none. */
const REVISIONS = new Set(["2025-03-26", "2025-06-18", "2025-11-25", "2024-11-05", "2024-10-07"]);

const MESSAGE = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS = new Set(["name", "arguments"]);

/** The call; undefined for everything else and for whatever is invalid, which the SDKs answer. */
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
