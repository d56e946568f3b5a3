/** What is read of a JSON-RPC message to forward it, and the headers that HTTP wants with it. */
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
