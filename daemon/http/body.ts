/** Request bodies: koa-body reads them within a limit, strict-json parses them. */
import { finished } from "node:stream/promises";
import type { Context as KoaContext, Middleware } from "koa";
import type { KoaBodyMiddlewareOptions } from "koa-body";
import { invalid, WireroomError } from "../../src/contract/errors.js";
import { JsonError, parseJsonBytes } from "../../src/kernel/strict-json.js";

type ReadBytes = (ctx: KoaContext) => Promise<Buffer>;

const KIB = 1024;

/** Reads the body of a REST or MCP request. */
export const readBytes = bytesReader(256);

/** Reads the fields of a REST request's body; none if there is no body. */
export const readJsonBody = jsonReader(256);

/** Returns a function that reads a JSON object of at most `limitKib`; no body is an empty object. */
export function jsonReader(limitKib: number): (ctx: KoaContext) => Promise<Record<string, unknown>> {
  const read = bytesReader(limitKib);
  return async (ctx) => {
    const bytes = await read(ctx);
    if (bytes.length === 0) return {};
    if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(ctx.headers["content-type"]!)) {
      throw malformed("content-type", "the body must be sent as Content-Type: application/json (UTF-8)");
    }
    const body = parse(bytes);
    if (body === null || typeof body !== "object" || Array.isArray(body)) {
      throw malformed("type", "the body must be a JSON object");
    }
    return body as Record<string, unknown>;
  };
}

/**
 * Returns a function that reads the body's bytes. koa-body takes no JSON parser: co-body/lib/json.js calls @hapi/bourne, which accepts
 * duplicate keys and lossy numbers, on text in which iconv-lite has replaced invalid UTF-8. So it reads the body as text with
 * an empty encoding: raw-body then decodes nothing and returns the bytes.
 */
function bytesReader(limitKib: number): ReadBytes {
  const read = parser({ text: true, textTypes: ["*/*"], textLimit: limitKib * KIB, encoding: "" }, limitKib);
  return async (ctx) => {
    let bytes = await read(ctx);
    if (bytes === undefined && ctx.is("*/*") === false) {
      // koa-body skips a body without a valid type; RFC 9110, 8.3 lets a recipient assume this one.
      ctx.headers["content-type"] = "application/octet-stream";
      bytes = await read(ctx);
    }
    return (bytes ?? NO_BYTES) as Buffer;
  };
}

const NO_BYTES = Buffer.alloc(0);

/** Returns a function that reads the plain fields of a submitted form of at most `limitKib`. */
export function formReader(limitKib: number): (ctx: KoaContext) => Promise<Record<string, string>> {
  const read = parser({ urlencoded: true, formLimit: limitKib * KIB }, limitKib);
  return async (ctx) => {
    if (!ctx.is("urlencoded")) throw malformed("content-type", "a form is expected");
    const fields = Object.entries((await read(ctx)) as Record<string, unknown>);
    return Object.fromEntries(
      fields.filter((field): field is [string, string] => typeof field[1] === "string"),
    );
  };
}

/** koa-body with one parser. Its errors become VALIDATION_ERROR. */
function parser(
  options: Partial<KoaBodyMiddlewareOptions>,
  limitKib: number,
): (ctx: KoaContext) => Promise<unknown> {
  let parse: Middleware | undefined;
  return async (ctx) => {
    refuseEncoded(ctx);
    // Loaded with the first body: its 150 modules, most of them zod's, would take a tenth of each start.
    parse ??= (await import("koa-body")).koaBody({ json: false, text: false, urlencoded: false, ...options });
    try {
      await parse(ctx, noNext);
    } catch (error) {
      if ((error as { type?: string }).type === "entity.too.large") {
        // Node reads the next request of the connection only after the rest of this one.
        await finished(ctx.req.resume()).catch(() => {});
        throw malformed("maxLength", `the body must be at most ${limitKib * KIB} bytes (${limitKib} KiB)`);
      }
      throw ctx.req.complete ? error : new ClientGone();
    }
    return ctx.request.body;
  };
}

function refuseEncoded(ctx: KoaContext): void {
  const { "content-encoding": encoding } = ctx.headers;
  // `is` returns null if there is no body.
  if (encoding === undefined || ctx.is("*/*") === null) return;
  if (encoding.toLowerCase() !== "identity") {
    throw malformed("content-encoding", "the body must be sent without a Content-Encoding");
  }
  // co-body knows the word in lower case only.
  ctx.headers["content-encoding"] = "identity";
}

async function noNext(): Promise<void> {}

/** The client closed the connection before its request was complete: there is nobody to answer. */
export class ClientGone extends WireroomError {
  constructor() {
    super("VALIDATION_ERROR", "the request ended before its body was complete");
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
