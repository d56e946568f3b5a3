import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import { invalid, type WireroomError } from "../../src/contract/errors.js";

/** The largest body of an identity request: a password of 1,024 characters fits many times. */
const MAX_BYTES = 64 * 1024;

/** The body as JSON; all that is not: 400 `VALIDATION_ERROR`. */
export async function readJson(ctx: Context): Promise<unknown> {
  if (!ctx.is("application/json")) throw malformed("contentType", "Content-Type must be application/json");
  const text = await readText(ctx.req);
  try {
    return JSON.parse(text);
  } catch {
    throw malformed("json", "the body is not valid JSON");
  }
}

/** The body as a submitted form. */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  if (!ctx.is("application/x-www-form-urlencoded")) throw malformed("contentType", "a form is expected");
  return new URLSearchParams(await readText(ctx.req));
}

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The rest of a body that is too long is read and thrown away by Node, so that the connection stays usable.
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > MAX_BYTES) break;
      chunks.push(chunk);
    }
  } catch {
    throw malformed("body", "the body was not sent to its end");
  }
  if (size > MAX_BYTES) throw malformed("maxLength", `the body must have at most ${MAX_BYTES} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw malformed("encoding", "the body is not valid UTF-8");
  }
}

function malformed(keyword: string, message: string): WireroomError {
  return invalid({ instancePath: "", keyword, message });
}
