/** The JSON-RPC message of a request, read as strictly as a REST body. */
import type { IncomingMessage } from "node:http";
import { invalid, type WireroomError } from "../../src/contract/errors.js";
import { JsonError, parseJsonBytes } from "../../src/kernel/strict-json.js";
import { readBytes } from "../http/body.js";

export interface Received {
  /** The message, or the batch of them that protocol 2025-03-26 allows. */
  message: unknown;
  /** What is wrong with the arguments of a tool call, where all else is well: the tool answers it. */
  refusal?: WireroomError;
}

/** Where the arguments of a tool call stand in its message. */
const ARGUMENTS = "/params/arguments";

/** Throws VALIDATION_ERROR where no message can be made out. */
export async function receive(request: IncomingMessage): Promise<Received> {
  const bytes = await readBytes(request);
  const isBatch = /^\s*\[/.test(bytes.toString("latin1", 0, 64));
  try {
    // The depth counts from the arguments, which are what REST has as its body.
    return { message: withoutCancellations(parseJsonBytes(bytes, isBatch ? 3 : 2)) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const { pointer, message } = error;
    if (!pointer.startsWith(`${ARGUMENTS}/`)) throw refusal(pointer, message);
    return {
      message: JSON.parse(bytes.toString("utf8")) as unknown,
      refusal: refusal(pointer.slice(ARGUMENTS.length), message),
    };
  }
}

function refusal(instancePath: string, message: string): WireroomError {
  return invalid({ instancePath, keyword: "json", message });
}

/** Without a session there is nothing to cancel but what stands in the same batch, which would then never be answered. */
function withoutCancellations(message: unknown): unknown {
  if (!Array.isArray(message)) return message;
  return message.filter((one) => one?.method !== "notifications/cancelled");
}
