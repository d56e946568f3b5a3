import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import { koaBody } from "koa-body";
import { invalid, type WireroomError } from "../../src/contract/errors.js";
import { JsonError, parseJsonBytes } from "../../src/kernel/strict-json.js";

/** The largest body of an identity request: a password of 1,024 characters fits many times. */
const MAX_BYTES = 64 * 1024;

/** The body as JSON; all that is not: 400 `VALIDATION_ERROR`. */
export async function readJson(ctx: Context): Promise<unknown> {
  if (!ctx.is("application/json")) throw malformed("contentType", "Content-Type must be application/json");
  const bytes = await readBytes(ctx.req);
  try {
    return parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw invalid({ instancePath: error.pointer, keyword: "json", message: error.message });
  }
}

const parseForm = koaBody({
  json: false,
  text: false,
  formLimit: MAX_BYTES,
  onError: () => {
    throw malformed("body", `a form of at most ${MAX_BYTES} bytes is expected`);
  },
});

/** The fields of a submitted form. */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  if (!ctx.is("application/x-www-form-urlencoded")) throw malformed("contentType", "a form is expected");
  await parseForm(ctx, async () => {});
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries((ctx.request.body ?? {}) as Record<string, unknown>)) {
    if (typeof value === "string") fields.append(name, value);
  }
  return fields;
}

async function readBytes(req: IncomingMessage): Promise<Buffer> {
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
  return Buffer.concat(chunks);
}

function malformed(keyword: string, message: string): WireroomError {
  return invalid({ instancePath: "", keyword, message });
}
