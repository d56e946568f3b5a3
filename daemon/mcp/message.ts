/** Parses an MCP request body as strictly as a REST body (docs/specification/requests.md#json). */
import type { IncomingHttpHeaders } from "node:http";
import { invalid, type WireroomError } from "../../src/contract/errors.js";
import { splitJsonArray } from "../../src/kernel/raw-json.js";
import { JsonError, parseJson, parseJsonBytes } from "../../src/kernel/strict-json.js";

const ARGUMENTS = "/params/arguments";
/** The JSON depth limit applies only to a message's arguments, which are nested this deeply. */
const OUTER_LEVELS = 2;
/** A batch is limited, because its messages run concurrently and each may be a long poll. */
const MAX_BATCH_LENGTH = 20;

const WHITE_SPACE = new Set(Buffer.from(" \t\n\r"));
const OPENING_BRACKET = "[".charCodeAt(0);

interface JsonRpc {
  id?: unknown;
  method?: unknown;
  params?: { arguments?: unknown } | null;
}

type Batch = (JsonRpc | null)[];

/**
 * Parses a JSON-RPC message or a batch. Malformed arguments are replaced with their error, which becomes the
 * tool's result. Throws VALIDATION_ERROR if anything else is malformed.
 */
export function parseMessage(bytes: Buffer): unknown {
  const isBatch = bytes.find((byte) => !WHITE_SPACE.has(byte)) === OPENING_BRACKET;
  try {
    const message = parseJsonBytes(bytes, isBatch ? OUTER_LEVELS + 1 : OUTER_LEVELS);
    return isBatch ? checkedBatch(message as Batch) : message;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const path = isBatch ? error.pointer.replace(/^\/\d+/, "") : error.pointer;
    if (!path.startsWith(`${ARGUMENTS}/`)) throw malformed(error.pointer, error.message);
  }
  const text = bytes.toString("utf8");
  if (!isBatch) return parseOne(text, "");
  // The parser stops at the first error in a text, so parse each message separately.
  return checkedBatch(splitJsonArray(text.trim()).map((element, index) => parseOne(element, `/${index}`)));
}

/** @param place JSON Pointer to the message in the body */
function parseOne(text: string, place: string): JsonRpc | null {
  try {
    return parseJson(text, OUTER_LEVELS) as JsonRpc | null;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { pointer, message } = error;
    const parsed = JSON.parse(text) as JsonRpc;
    // If the text contains `params` twice, `JSON.parse` returns the second one, which `parseJson` did not
    // reach.
    const { params } = parsed;
    if (!pointer.startsWith(`${ARGUMENTS}/`) || typeof params !== "object" || params === null)
      throw malformed(place + pointer, message);
    params.arguments = malformed(pointer.slice(ARGUMENTS.length), message);
    return parsed;
  }
}

function malformed(instancePath: string, message: string): WireroomError {
  return invalid({ instancePath, keyword: "json", message });
}

function checkedBatch(batch: Batch): unknown {
  if (batch.length > MAX_BATCH_LENGTH) {
    const message = `a batch must have at most ${MAX_BATCH_LENGTH} messages`;
    throw invalid({ instancePath: "", keyword: "maxItems", message });
  }
  assertDifferentIds(batch);
  return withoutCancellations(batch);
}

/** The SDK would respond to only one of two requests with the same id. */
function assertDifferentIds(batch: Batch): void {
  const ids = new Set<unknown>();
  for (const [index, message] of batch.entries()) {
    if (message?.id === undefined || message.method === undefined) continue;
    if (ids.has(message.id)) {
      const instancePath = `/${index}/id`;
      throw invalid({ instancePath, keyword: "uniqueItems", message: "must differ from the ids before it" });
    }
    ids.add(message.id);
  }
}

/**
 * Removes cancellations from a batch, because they could only cancel requests in the same batch. Keeps one if
 * there is nothing else, because the SDK rejects an empty batch.
 */
function withoutCancellations(batch: Batch): unknown {
  const others = batch.filter((message) => message?.method !== "notifications/cancelled");
  return others.length === 0 && batch.length > 0 ? batch[0] : others;
}

/**
 * A single `tools/call` that needs no SDK feature. It bypasses the SDKs for speed, because most requests are
 * such calls (docs/decisions/007).
 */
export interface PlainCall {
  id: string | number;
  name: string;
  arguments: unknown;
}

/** Protocol revisions whose requests contain no metadata. */
const REVISIONS = new Set(["2025-03-26", "2025-06-18", "2025-11-25", "2024-11-05", "2024-10-07"]);

const MESSAGE_FIELDS = new Set(["jsonrpc", "id", "method", "params"]);
const PARAMS_FIELDS = new Set(["name", "arguments"]);

/** Returns undefined if the message is not a plain call or is invalid. */
export function plainCall(headers: IncomingHttpHeaders, message: unknown): PlainCall | undefined {
  const { "mcp-protocol-version": revision = "2025-03-26" } = headers;
  if (!REVISIONS.has(String(revision)) || "mcp-method" in headers || "mcp-name" in headers) return undefined;
  if (!isObjectOf(message, MESSAGE_FIELDS)) return undefined;
  const { jsonrpc, id, method, params } = message;
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isObjectOf(params, PARAMS_FIELDS)) return undefined;
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined;
  if (typeof params.name !== "string") return undefined;
  return { id: id as string | number, name: params.name, arguments: params.arguments };
}

function isObjectOf(value: unknown, fields: ReadonlySet<string>): value is Record<string, unknown> {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  return Object.keys(value).every((name) => fields.has(name));
}
