/** Reads request bodies. koa-body enforces the size limit, and `strict-json.ts` parses the JSON. */
import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import type { Context as KoaContext, Middleware } from "koa";
import type { KoaBodyMiddlewareOptions } from "koa-body";
import { invalid, WireroomError } from "../../../src/contract/errors.js";
import { JsonError, parseJsonBytes } from "../../../src/kernel/strict-json.js";
import { IncomingRequest } from "./incoming-request.js";

type ReadBytes = (ctx: KoaContext) => Promise<Buffer>;

const KIB = 1024;

/** Reads a REST or MCP request body of up to 256 KiB as bytes. */
export const readBytes = bytesReader(256);

/** Reads the JSON object in a REST request body. Returns `{}` if there is no body. */
export const readJsonBody = jsonReader(256);

/** Returns a function that reads a JSON object of at most `limitKib` KiB. It returns `{}` without a body. */
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

/** Returns true for JSON in UTF-8. Parameters other than `charset` have no meaning for JSON (RFC 8259). */
export function hasJsonType({ headers: { "content-type": contentType = "" } }: KoaContext): boolean {
  const [type, ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  const charsets = parameters.filter((parameter) => /^charset\s*=/.test(parameter));
  return type === "application/json" && charsets.every((charset) => /^charset="?utf-?8"?$/.test(charset));
}

/**
 * Returns a function that reads the raw bytes of a body, because koa-body's own JSON parser would accept
 * duplicate keys and invalid UTF-8. An empty encoding turns off raw-body's decoding.
 */
function bytesReader(limitKib: number): ReadBytes {
  const read = parser({ text: true, textTypes: ["*/*"], textLimit: limitKib * KIB, encoding: "" }, limitKib);
  return async (ctx) => {
    let bytes = await read(ctx);
    if (bytes === undefined && ctx.is("*/*") === false) {
      // koa-body skips a body without a valid type, so set the default type (RFC 9110, section 8.3).
      ctx.headers["content-type"] = "application/octet-stream";
      bytes = await read(ctx);
    }
    return (bytes ?? NO_BYTES) as Buffer;
  };
}

const NO_BYTES = Buffer.alloc(0);

/** Returns a function that reads the fields of an HTML form, and skips fields that occur more than once. */
export function formReader(limitKib: number): (ctx: KoaContext) => Promise<Record<string, string>> {
  const read = parser({ urlencoded: true, formLimit: limitKib * KIB }, limitKib);
  return async (ctx) => {
    if (!ctx.is("urlencoded"))
      throw malformed(
        "content-type",
        "the body must be sent as Content-Type: application/x-www-form-urlencoded",
      );
    const fields = Object.entries((await read(ctx)) as Record<string, unknown>);
    return Object.fromEntries(
      fields.filter((field): field is [string, string] => typeof field[1] === "string"),
    );
  };
}

/** Turns off all of koa-body's parsers. DELETE is listed because its requests may have a body too. */
const NO_PARSER: Partial<KoaBodyMiddlewareOptions> = {
  ...{ json: false, text: false, urlencoded: false },
  parsedMethods: ["POST", "PUT", "DELETE"] as KoaBodyMiddlewareOptions["parsedMethods"],
};

/** Returns koa-body with a single parser turned on, and converts its errors to VALIDATION_ERROR. */
function parser(
  options: Partial<KoaBodyMiddlewareOptions>,
  limitKib: number,
): (ctx: KoaContext) => Promise<unknown> {
  let parse: Middleware | undefined;
  return async (ctx) => {
    assertNotEncoded(ctx);
    // Load koa-body with the first request body, because its many modules would delay the start.
    parse ??= (await import("koa-body")).koaBody({ ...NO_PARSER, ...options });
    try {
      await parse(ctx, noNext);
    } catch (error) {
      if ((error as { type?: string }).type === "entity.too.large") {
        // Read the rest of the body, so that Node can read the connection's next request.
        await finished(restDiscarded(ctx.req)).catch(() => {});
        throw malformed("maxLength", `the body must be at most ${limitKib * KIB} bytes (${limitKib} KiB)`);
      }
      // Even a complete body is unreadable after its connection was closed.
      throw ctx.req.complete && !ctx.req.destroyed ? error : new ClientDisconnected();
    }
    const { body } = ctx.request;
    // Free the body now: Koa's context keeps it as long as the request, which may be held.
    ctx.request.body = undefined;
    return body;
  };
}

function restDiscarded(request: IncomingMessage): IncomingMessage {
  return request instanceof IncomingRequest ? request.discard() : request.resume();
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

async function noNext(): Promise<void> {}

/** Thrown if the client closed the connection before the daemon read its request. No response is possible. */
export class ClientDisconnected extends WireroomError {
  constructor() {
    super("VALIDATION_ERROR", "the connection was closed before the body was read");
  }
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
