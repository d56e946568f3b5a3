/** Reads request bodies. raw-body enforces the size limit, and `strict-json.ts` parses the JSON. */
import { finished } from "node:stream/promises";
import type { Context as KoaContext } from "koa";
import getRawBody, { type RawBodyError } from "raw-body";
import { invalid, WireroomError } from "../../src/contract/errors.js";
import { JsonError, parseJsonBytes } from "../../src/kernel/strict-json.js";

type ReadBytes = (ctx: KoaContext) => Promise<Buffer>;

/** Values of the fields of an HTML form. */
export type FormFields = Record<string, string | undefined>;

const KIB = 1024;

/** Reads the bytes of a REST or MCP request body, which may have up to 256 KiB. */
export const readBytes = bytesReader(256);

/** Reads the JSON object in the body of a REST request. Returns `{}` if there is no body. */
export const readJsonBody = jsonReader(256);

/** Returns a function that reads a JSON object of at most `limitKib` KiB. The function returns `{}` if there is no body. */
export function jsonReader(limitKib: number): (ctx: KoaContext) => Promise<Record<string, unknown>> {
  const read = bytesReader(limitKib);
  return async (ctx) => {
    const bytes = await read(ctx);
    if (bytes.length === 0) return {};
    if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(ctx.headers["content-type"] ?? "")) {
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
 * Returns a function that reads the raw bytes of a body. They are parsed by `parseJsonBytes`, because other JSON parsers accept
 * duplicate keys, numbers that lose precision, and invalid UTF-8.
 */
function bytesReader(limitKib: number): ReadBytes {
  return async (ctx) => {
    // `ctx.is` returns null if the request has no body.
    if (ctx.is("*/*") === null) return NO_BYTES;
    assertNotEncoded(ctx);
    try {
      return await getRawBody(ctx.req, { length: ctx.headers["content-length"], limit: limitKib * KIB });
    } catch (error) {
      if ((error as RawBodyError).type === "entity.too.large") {
        // Reads the rest of the body, so that Node can read the next request of the connection.
        await finished(ctx.req.resume()).catch(() => {});
        throw malformed("maxLength", `the body must be at most ${limitKib * KIB} bytes (${limitKib} KiB)`);
      }
      // A body that was received completely can no longer be read either after its connection was closed.
      throw ctx.req.complete && !ctx.req.destroyed ? error : new ClientDisconnected();
    }
  };
}

const NO_BYTES = Buffer.alloc(0);

/**
 * Returns a function that reads the fields of an HTML form of at most `limitKib` KiB. The value of a field that appears more than
 * once is undefined.
 */
export function formReader(limitKib: number): (ctx: KoaContext) => Promise<FormFields> {
  const read = bytesReader(limitKib);
  return async (ctx) => {
    if (!ctx.is("urlencoded"))
      throw malformed(
        "content-type",
        "the body must be sent as Content-Type: application/x-www-form-urlencoded",
      );
    const fields = Object.create(null) as FormFields;
    for (const [name, value] of new URLSearchParams((await read(ctx)).toString())) {
      fields[name] = name in fields ? undefined : value;
    }
    return fields;
  };
}

function assertNotEncoded({ headers: { "content-encoding": encoding } }: KoaContext): void {
  if (encoding === undefined || encoding.toLowerCase() === "identity") return;
  throw malformed("content-encoding", "the body must be sent without a Content-Encoding");
}

/** Thrown if the client closed the connection before its request was read. No response can be sent then. */
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
