/** Splits a stream into JSON-RPC messages, parses the messages, and builds their HTTP headers. */

const LINE_FEED = 10;

/** Yields a stream's lines as bytes. `readline` would also split at U+2028, which JSON may contain. */
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

export function parseMessage(text: string): Message | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return value !== null && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

export async function* messagesOf({ headers, body }: Response): AsyncGenerator<string> {
  const isStream = headers.get("content-type")?.startsWith("text/event-stream");
  if (!isStream || !body) return yield await new Response(body).text();
  for await (const line of linesOf(body as unknown as AsyncIterable<Buffer>)) {
    // The flag `s` makes `.` match U+2028, which a line of an event stream may contain.
    const [, message] = /^data: (.*)/s.exec(Buffer.from(line).toString("utf8")) ?? [];
    if (message !== undefined) yield message;
  }
}

/** Returns whether the endpoint must respond. Notifications and responses get no response. */
export function expectsResponse(message: Message): boolean {
  if (!Array.isArray(message)) return message.id !== undefined && message.method !== undefined;
  // A message with `id` and `method` is a request. One with neither is invalid, and gets an error response.
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

export function onlyCancels(message: Message): boolean {
  const parts = partsOf(message);
  return parts.length > 0 && parts.every(isCancellation);
}

function isCancellation({ method }: Message): boolean {
  return method === "notifications/cancelled";
}

function partsOf(message: Message): Message[] {
  return Array.isArray(message) ? message.map((part: Message | null) => part ?? {}) : [message];
}

/**
 * Returns the HTTP headers that MCP requires for a message. Since version 2026-07-28, headers repeat the
 * message's version, method and name.
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

/** Encodes a value with characters outside visible ASCII in the Base64 form that MCP defines. */
function asHeader(value: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?base64?");
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}
