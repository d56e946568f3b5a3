/** Reads request bodies. koa-body enforces the size limit, and `strict-json.ts` parses the JSON. */
import { finished } from "node:stream/promises";
import type { Context as KoaContext, Middleware } from "koa";
import type { KoaBodyMiddlewareOptions } from "koa-body";
import { invalid, WireroomError } from "../../src/contract/errors.js";
import { JsonError, parseJsonBytes } from "../../src/kernel/strict-json.js";
import { type IncomingRequest, METHODS_WITH_BODY } from "./memory.js";

const KIB = 1024;
const NO_BYTES = Buffer.alloc(0);

/**
 * Options that make koa-body read the raw bytes, because its own JSON parser would accept duplicate keys and
 * invalid UTF-8. An empty encoding turns off text decoding.
 */
const RAW: Partial<KoaBodyMiddlewareOptions> = {
  ...{ json: false, urlencoded: false, text: true, textTypes: ["*/*"], encoding: "" },
  parsedMethods: METHODS_WITH_BODY as KoaBodyMiddlewareOptions["parsedMethods"],
};

/** Thrown if the client closed the connection before the daemon read the request. No response is possible. */
export class ClientDisconnected extends WireroomError {
  constructor() {
    super("VALIDATION_ERROR", "the connection was closed before the body was read");
  }
}

export const readBytes = bytesReader(256);

export const readJsonBody = jsonReader(256);

/** The returned function returns `{}` if there is no body. */
export function jsonReader(limitKib: number): (ctx: KoaContext) => Promise<Record<string, unknown>> {
  const read = bytesReader(limitKib);
  return async (ctx) => {
    const isJson = hasJsonType(ctx);
    const bytes = await read(ctx);
    if (bytes.length === 0) return {};
    if (!isJson) {
      throw malformed("content-type", "the body must be sent as Content-Type: application/json (UTF-8)");
    }
    const body = parse(bytes);
    if (body === null || typeof body !== "object" || Array.isArray(body)) {
      throw malformed("type", "the body must be a JSON object");
    }
    return body as Record<string, unknown>;
  };
}

/** Fields that occur more than once are skipped. */
export function formReader(limitKib: number): (ctx: KoaContext) => Promise<Record<string, string>> {
  const read = bytesReader(limitKib);
  return async (ctx) => {
    if (!ctx.is("urlencoded"))
      throw malformed(
        "content-type",
        "the body must be sent as Content-Type: application/x-www-form-urlencoded",
      );
    const fields = new Map<string, string>();
    const repeated = new Set<string>();
    for (const [name, value] of new URLSearchParams((await read(ctx)).toString())) {
      if (fields.has(name)) repeated.add(name);
      fields.set(name, value);
    }
    for (const name of repeated) fields.delete(name);
    return Object.fromEntries(fields);
  };
}

/** Ignores parameters other than `charset`, because they have no meaning for JSON (RFC 8259). */
export function hasJsonType({ headers: { "content-type": contentType = "" } }: KoaContext): boolean {
  const [type, ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((parameter) => /^charset\s*=/.test(parameter));
  return type === "application/json" && charsets.every((charset) => /^charset="?utf-?8"?$/.test(charset));
}

function bytesReader(limitKib: number): (ctx: KoaContext) => Promise<Buffer> {
  let read: Middleware | undefined;
  return async (ctx) => {
    assertNotEncoded(ctx);
    // Set the default content type, because koa-body skips a body without a valid type (RFC 9110, section
    // 8.3).
    if (ctx.is("*/*") === false) ctx.headers["content-type"] = "application/octet-stream";
    // Load koa-body when the first request body arrives, because loading its many modules would delay the
    // start.
    read ??= (await import("koa-body")).koaBody({ ...RAW, textLimit: limitKib * KIB });
    try {
      await read(ctx, async () => {});
    } catch (error) {
      if ((error as { type?: string }).type === "entity.too.large") {
        // Read the rest of the body, so that Node can read the connection's next request.
        await finished((ctx.req as IncomingRequest).discard()).catch(() => {});
        throw malformed("maxLength", `the body must be at most ${limitKib * KIB} bytes (${limitKib} KiB)`);
      }
      // Check both properties, because even a complete body cannot be read after its connection was closed.
      throw ctx.req.complete && !ctx.req.destroyed ? error : new ClientDisconnected();
    }
    const { body } = ctx.request;
    // Free the body now, because Koa's context would otherwise keep it during a long poll.
    ctx.request.body = undefined;
    return (body ?? NO_BYTES) as Buffer;
  };
}

function assertNotEncoded(ctx: KoaContext): void {
  const { "content-encoding": encoding } = ctx.headers;
  // `ctx.is` returns null for a request without a body.
  if (encoding === undefined || ctx.is("*/*") === null) return;
  if (encoding.toLowerCase() !== "identity") {
    throw malformed("content-encoding", "the body must be sent without a Content-Encoding");
  }
  // co-body accepts `identity` only in lower case.
  ctx.headers["content-encoding"] = "identity";
}

function parse(bytes: Buffer): unknown {
  try {
    return parseJsonBytes(bytes);
  } catch (error) {
    if (error instanceof JsonError) throw malformed("json", error.message, error.pointer);
    throw error;
  }
}

function malformed(keyword: string, message: string, instancePath = ""): WireroomError {
  return invalid({ instancePath, keyword, message });
}
