/** Streams JSON texts, one per line. */
import { Readable } from "node:stream";
import type { Context as KoaContext } from "koa";
import { logAndConvertError } from "./request-state.js";
import { setCommonHeaders } from "./responses.js";

/** Minimum number of characters per write, because a system call for each line would be slow. */
const CHUNK_LENGTH = 32 * 1024;

/** Streams JSON texts, one per line. A failure closes the connection, because the status was sent. */
export function sendLines(ctx: KoaContext, lines: AsyncIterable<string>): void {
  setCommonHeaders(ctx);
  ctx.set("Content-Type", "application/x-ndjson; charset=utf-8");
  // Without object mode, the limit counts characters, so a slow client pauses the source.
  ctx.body = Readable.from(chunksOf(ctx, lines), { objectMode: false, highWaterMark: CHUNK_LENGTH });
}

async function* chunksOf(ctx: KoaContext, lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = "";
  try {
    for await (const line of lines) {
      chunk += `${line}\n`;
      if (chunk.length < CHUNK_LENGTH) continue;
      yield chunk;
      chunk = "";
    }
  } catch (error) {
    // A client that disconnects also ends the stream with an error. This error is not logged.
    if (ctx.writable) logAndConvertError(ctx, error);
    throw error;
  }
  if (chunk !== "") yield chunk;
}
