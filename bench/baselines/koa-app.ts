/** Functions that the Koa baselines share: a server without any middleware besides the router. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Router } from "@koa/router";
import Koa, { type Context } from "koa";

/** Listens on a free port of 127.0.0.1 and prints the URL in one line of JSON. */
export function serve(router: Router): void {
  const app = new Koa();
  app.use(router.routes() as never);
  const server = createServer({ keepAliveTimeout: 75_000 }, app.callback());
  server.listen({ host: "127.0.0.1", port: 0, backlog: 1_024 }, () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ listen: `http://127.0.0.1:${port}` })}\n`);
  });
  process.on("SIGTERM", () => process.exit(0));
}

export function sendJson(ctx: Context, status: number, json: string): void {
  ctx.status = status;
  ctx.set("Content-Type", "application/json; charset=utf-8");
  ctx.body = json;
}

/**
 * Reads a request body up to the daemon's size limit. A body-parser library would add cost to the baseline.
 */
export function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= 256 * 1024) chunks.push(chunk);
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
  });
}
