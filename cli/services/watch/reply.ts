/** Sends a command's standard output as a reply. */
import { strictJsonProblem } from "../../../daemon/local/offline.js";
import { type CallOptions, type Wire, type Wireroom, WireroomError } from "../../../sdk/src/api.js";
import { CommandFailure, type CommandOutput } from "./command.js";

/** Maximum length of a wire's text in code points (docs/specification/sending.md). */
const MAX_TEXT = 8_192;
/** The reply to a wire whose command failed at the last attempt. */
export const NO_ANSWER = "[no answer: the command for this wire failed]";
/** Maximum size of a reply's JSON. A request body may have 256 KiB (docs/specification/limits.md#sizes). */
const MAX_JSON_BYTES = 255 * 1_024;

/**
 * Returns the text of the reply, or undefined for empty output. Cuts what is too long for a wire, and adds a
 * note at its end. Throws `CommandFailure` if the output cannot be sent.
 */
export function replyText({ stdout, isCut }: CommandOutput): string | undefined {
  const text = decoded(stdout, isCut).trim();
  if (text === "") return undefined;
  if ("payload" in contentOf(text)) return text;
  const characters = [...text];
  if (characters.length <= MAX_TEXT) return text;
  const mark = `\n[cut: the reply had ${isCut ? "more than " : ""}${characters.length} characters]`;
  return characters.slice(0, MAX_TEXT - mark.length).join("") + mark;
}

function decoded(stdout: Buffer, isCut: boolean): string {
  try {
    // `stream` accepts an incomplete character at the end, where the output may have been cut.
    return new TextDecoder("utf-8", { fatal: true }).decode(stdout, { stream: isCut });
  } catch {
    throw new CommandFailure("wrote output that is not UTF-8", 0);
  }
}

/** A JSON object or array becomes the payload if a request can contain it, and other output the text. */
export function contentOf(text: string): { payload: unknown } | { text: string } {
  return jsonContainer(text) ?? { text };
}

function jsonContainer(text: string): { payload: unknown } | undefined {
  if (!/^[{[]/.test(text)) return undefined;
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch {
    return undefined;
  }
  // Reject values that `JSON.parse` would change, for example by rounding a number.
  const problem = strictJsonProblem(text, 1);
  if (problem) throw new CommandFailure(`wrote JSON that the service does not accept: ${problem}`, 0);
  if (Buffer.byteLength(JSON.stringify(payload)) > MAX_JSON_BYTES) return undefined;
  return { payload };
}

/**
 * Replies to a wire only once, because a repeated run uses the same idempotency key. Returns undefined if a
 * different reply was already sent with that key. Retries while the service is unreachable or asks to wait.
 */
export async function sendReply(
  client: Wireroom,
  wire: Wire,
  text: string,
  idempotencyKey: string,
  options: Pick<CallOptions, "signal" | "onRetry">,
): Promise<"sent" | "held" | undefined> {
  // The other handle of a DM is its sender, because the wire was received.
  const parent = { ...wire, recipient: wire.sender };
  try {
    const { status } = await client.wires.reply(parent, contentOf(text), {
      ...options,
      maxRetries: Infinity,
      maxRetryAfter: Infinity,
      idempotencyKey,
    });
    return status ?? "sent";
  } catch (error) {
    if (isRepeated(error)) return undefined;
    throw error;
  }
}

/**
 * Returns whether the service has permanently refused this reply. Returns false for a 401 or `FORBIDDEN`,
 * because every request would fail, and for a response without an error code, because it is from a proxy.
 */
export function isRefused(error: unknown): error is WireroomError {
  if (!(error instanceof WireroomError) || error.status === undefined) return false;
  const { status, code } = error;
  return (
    status >= 400 && status < 500 && !["UNAUTHORIZED", "FORBIDDEN", "UNEXPECTED_RESPONSE"].includes(code)
  );
}

/** Returns whether an earlier run sent another reply (docs/specification/requests.md#idempotency). */
function isRepeated(error: unknown): boolean {
  return error instanceof WireroomError && error.errors.some(({ keyword }) => keyword === "idempotency_key");
}
