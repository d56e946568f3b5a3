/** Splits a stream into JSON-RPC messages, parses them, and builds their HTTP headers. */

const LINE_FEED = 10;

/**
 * Yields the lines of a stream as bytes. `readline` is not suitable, because it also splits at U+2028, which JSON may
 * contain.
 */
export async function* linesOf(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      parts.push(chunk.subarray(start, end));
      yield Buffer.concat(parts);
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

export interface Message {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: {
    name?: unknown;
    uri?: unknown;
    requestId?: unknown;
    _meta?: Record<string, unknown>;
  };
  result?: { protocolVersion?: unknown };
}

/** Parses a JSON-RPC message or a batch of messages. Returns undefined if the text is not a JSON object or array. */
export function parseMessage(text: string): Message | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return value !== null && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the messages in the body of a response. The daemon responds to `subscriptions/listen` with an event stream, which it
 * ends at once. It writes each message on one line.
 */
export function messagesOf(contentType: string | null, body: string): string[] {
  if (!contentType?.startsWith("text/event-stream")) return [body];
  return [...body.matchAll(/^data: (.*)$/gm)].map(([, message]) => message!);
}

/** Returns true for a JSON-RPC request or batch. A notification gets no response. */
export function expectsResponse(message: Message): boolean {
  return Array.isArray(message) || (message.id !== undefined && message.method !== undefined);
}

/**
 * Returns the HTTP headers that MCP requires for a message. Since protocol version 2026-07-28, they repeat the version,
 * the method and the name from the message. Older versions require only the negotiated version.
 *
 * @param negotiated version from the `initialize` response
 */
export function protocolHeaders(
  { method, params }: Message,
  negotiated: string | undefined,
): Record<string, string> {
  const stated = params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  if (typeof stated !== "string") {
    return negotiated === undefined || method === "initialize"
      ? {}
      : { "mcp-protocol-version": asHeader(negotiated) };
  }
  const name = params?.name ?? params?.uri;
  return {
    "mcp-protocol-version": asHeader(stated),
    ...(method !== undefined && { "mcp-method": asHeader(method) }),
    ...(typeof name === "string" && { "mcp-name": asHeader(name) }),
  };
}

/** Encodes a header value. A value with characters outside visible ASCII gets the Base64 form that MCP defines. */
function asHeader(value: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?base64?");
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}
