/** Answers of many lines (`application/x-ndjson`), written as fast as the client reads them. */
import { Readable } from "node:stream";
import type { Context as KoaContext } from "koa";
import type { Logger } from "pino";
import { explain, type RequestState } from "./requests.js";

/** Characters that are written at once: single lines would cost a system call each. */
const CHUNK = 32 * 1024;

/** @param lines JSON texts. Where they fail, the connection is cut, as nothing else tells the client by then. */
export function answerLines(ctx: KoaContext, lines: AsyncIterable<string>, log: Logger): void {
  // In bytes, not in objects: a slow client then holds up the reading after two chunks.
  const options = { objectMode: false, highWaterMark: CHUNK };
  (ctx.state as RequestState).lines = Readable.from(chunks(ctx, lines, log), options);
}

async function* chunks(ctx: KoaContext, lines: AsyncIterable<string>, log: Logger): AsyncGenerator<string> {
  let chunk = "";
  try {
    for await (const line of lines) {
      chunk += `${line}\n`;
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = "";
    }
  } catch (error) {
    explain(ctx, error, log);
    throw error;
  }
  if (chunk !== "") yield chunk;
}
