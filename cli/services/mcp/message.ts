/** Splits a stream into JSON-RPC messages, parses them, and builds their HTTP headers. */

const LINE_FEED = 10;

/** Yields the lines of a stream as bytes. `readline` also splits at U+2028, which JSON may contain. */
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

/** Parses a JSON-RPC message or a batch. Returns undefined if the text is not a JSON object or array. */
export function parseMessage(text: string): Message | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return value !== null && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Yields the messages of a response as they arrive: one, or an event stream with one on each line. */
export async function* messagesOf({ headers, body }: Response): AsyncGenerator<string> {
  const isStream = headers.get("content-type")?.startsWith("text/event-stream");
  if (!isStream || !body) return yield await new Response(body).text();
  for await (const line of linesOf(body as unknown as AsyncIterable<Buffer>)) {
    // A line of an event stream may contain U+2028, which `.` does not match by default.
    const [, message] = /^data: (.*)/s.exec(Buffer.from(line).toString("utf8")) ?? [];
    if (message !== undefined) yield message;
  }
}

/** Returns whether a message or batch gets a response. Notifications and responses get none. */
export function expectsResponse(message: Message): boolean {
  if (!Array.isArray(message)) return message.id !== undefined && message.method !== undefined;
  // A part that has both is a request, and a part that has neither is an error.
  return (
    message.length === 0 ||
    partsOf(message).some(({ id, method }) => (id === undefined) === (method === undefined))
  );
}

export function requestIds(message: Message): (string | number | null)[] {
  return partsOf(message).flatMap(({ id, method }) => (id === undefined || method === undefined ? [] : [id]));
}

export function cancelledIds(message: Message): unknown[] {
  return partsOf(message).flatMap((part) => (isCancellation(part) ? [part.params?.requestId] : []));
}

/** Returns whether a message or batch contains only cancellations. */
export function onlyCancels(message: Message): boolean {
  const parts = partsOf(message);
  return parts.length > 0 && parts.every(isCancellation);
}

function isCancellation({ method }: Message): boolean {
  return method === "notifications/cancelled";
}

/** Returns the messages of a batch, or the message. Parts that are no object have no fields. */
function partsOf(message: Message): Message[] {
  return Array.isArray(message) ? message.map((part: Message | null) => part ?? {}) : [message];
}

/**
 * Returns the HTTP headers that MCP requires for a message. Since version 2026-07-28, they repeat the
 * version, the method and the name from the message.
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

/** A header value with characters outside visible ASCII gets the Base64 form that MCP defines. */
function asHeader(value: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?base64?");
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}
