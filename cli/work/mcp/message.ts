/** JSON-RPC messages: the lines that carry them, the fields that forwarding needs, and the HTTP headers that go with them. */
const LINE_FEED = 10;

/**
 * Yields the lines of a stream as bytes. Only a line feed ends a line: JSON may contain U+2028, which `readline` takes for
 * a line end.
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

/** The message or batch that a text spells; undefined where it is neither. */
export function parseMessage(text: string): Message | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return value !== null && typeof value === "object" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether somebody waits for an answer: not to a notification. */
export function isAsking(message: Message): boolean {
  return Array.isArray(message) || (message.id !== undefined && message.method !== undefined);
}

/**
 * The protocol's headers. From 2026-07-28 on a request says in `_meta` which version it speaks, and its headers repeat what
 * it asks for; before, the handshake has agreed on one.
 *
 * @param agreed the version of the handshake
 */
export function protocolHeaders(
  { method, params }: Message,
  agreed: string | undefined,
): Record<string, string> {
  const claimed = params?._meta?.["io.modelcontextprotocol/protocolVersion"];
  if (typeof claimed !== "string") {
    return agreed === undefined || method === "initialize"
      ? {}
      : { "mcp-protocol-version": asHeader(agreed) };
  }
  const name = params?.name ?? params?.uri;
  return {
    "mcp-protocol-version": asHeader(claimed),
    ...(method !== undefined && { "mcp-method": asHeader(method) }),
    ...(typeof name === "string" && { "mcp-name": asHeader(name) }),
  };
}

/** A header holds visible ASCII; anything else goes in the protocol's Base64 form. */
function asHeader(value: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith("=?base64?");
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}
