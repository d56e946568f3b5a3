/** Streams JSON texts, one per line. */
import { Readable } from "node:stream";
import type { Context as KoaContext } from "koa";
import { logAndConvertError } from "./request-state.js";
import { setCommonHeaders } from "./responses.js";

/** Number of characters that are collected for a write, because a system call for each line would be slow. */
const CHUNK_LENGTH = 32 * 1024;

/** Streams JSON texts, one per line. An error closes the connection, because the status was already sent. */
export function sendLines(ctx: KoaContext, lines: AsyncIterable<string>): void {
  setCommonHeaders(ctx);
  ctx.set("Content-Type", "application/x-ndjson; charset=utf-8");
  // Object mode is off so that `highWaterMark` counts characters, and a slow client pauses the source.
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
    // A disconnected client also causes an error, which must not be logged.
    if (ctx.writable) logAndConvertError(ctx, error);
    throw error;
  }
  if (chunk !== "") yield chunk;
}
