/**
 * Fast path for a single `tools/call` that needs no SDK feature, in protocol revisions up to 2025-11-25. Most
 * requests are such calls (docs/decisions/007).
 */
import type { IncomingHttpHeaders } from "node:http";

export interface PlainCall {
  id: string | number;
  name: string;
  arguments: unknown;
}

/** Protocol revisions whose requests contain no metadata. Without a version header, the first applies. */
const REVISIONS = new Set(["2025-03-26", "2025-06-18", "2025-11-25", "2024-11-05", "2024-10-07"]);

const MESSAGE = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS = new Set(["name", "arguments"]);

/** Returns the plain call in a message. Returns undefined for any other message, including invalid ones. */
export function plainCall(headers: IncomingHttpHeaders, message: unknown): PlainCall | undefined {
  const { "mcp-protocol-version": revision = "2025-03-26" } = headers;
  if (!REVISIONS.has(String(revision)) || "mcp-method" in headers || "mcp-name" in headers) return undefined;
  if (!isObjectOf(message, MESSAGE)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isObjectOf(params, PARAMS)) return undefined;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  if (typeof params.name !== "string") return undefined;
  return { id: id as string | number, name: params.name, arguments: params.arguments };
}

function isObjectOf(value: unknown, fields: ReadonlySet<string>): value is Record<string, unknown> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  return Object.keys(value).every((name) => fields.has(name));
}
