/** Parses the body of an MCP request as strictly as a REST body (docs/specification/requests.md#json). */
import { invalid, type WireroomError } from "../../src/contract/errors.js";
import { elementsOf, JsonError, parseJson, parseJsonBytes } from "../../src/kernel/strict-json.js";

const ARGUMENTS = "/params/arguments";
/** Levels of a message around its arguments, to which the depth limit applies. */
const OUTER_LEVELS = 2;
/** The messages of a batch run concurrently, and any of them may be a long poll. */
const MAX_BATCH_LENGTH = 20;

/** The white space of JSON (RFC 8259, section 2). */
const WHITE_SPACE = new Set(Buffer.from(" \t\n\r"));
const OPENING_BRACKET = "[".charCodeAt(0);

interface JsonRpc {
  id?: unknown;
  method?: unknown;
  params?: { arguments?: unknown } | null;
}

type Batch = (JsonRpc | null)[];

/**
 * Returns one JSON-RPC message, or an array of them, with the error of malformed arguments in their place,
 * which becomes the result of the tool. Throws VALIDATION_ERROR for anything else.
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
  // The first error hides those of the other messages, so each message is parsed by itself.
  return checkedBatch(elementsOf(text).map((element, index) => parseOne(element, `/${index}`)));
}

/** @param place JSON Pointer to the message in the body */
function parseOne(text: string, place: string): JsonRpc | null {
  try {
    return parseJson(text, OUTER_LEVELS) as JsonRpc | null;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { pointer, message } = error;
    const parsed = JSON.parse(text) as JsonRpc;
    // A second `params`, which the parser did not reach, may have replaced those with the arguments.
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

/** Throws VALIDATION_ERROR if the batch is too long, or if two of its requests have the same id. */
function checkedBatch(batch: Batch): unknown {
  if (batch.length > MAX_BATCH_LENGTH) {
    const message = `a batch must have at most ${MAX_BATCH_LENGTH} messages`;
    throw invalid({ instancePath: "", keyword: "maxItems", message });
  }
  assertDifferentIds(batch);
  return withoutCancellations(batch);
}

/** Throws if two requests of a batch have the same id: the SDK would answer only one. */
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
 * Removes the cancellations from a batch, which could only cancel a request of the same batch. Of
 * cancellations alone, one remains, because the SDK rejects an empty batch.
 */
function withoutCancellations(batch: Batch): unknown {
  const others = batch.filter((message) => message?.method !== "notifications/cancelled");
  return others.length === 0 && batch.length > 0 ? batch[0] : others;
}
