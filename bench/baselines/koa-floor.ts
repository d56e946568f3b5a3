/**
 * The floor: Koa with the daemon's routes and its reading of bodies, and nothing else. A POST is parsed and echoed; a GET
 * answers bytes from memory. Argument: a file with those bytes.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Router } from "@koa/router";
import Koa, { type Context } from "koa";
import { readBytes } from "../../daemon/http/body.js";
import { operations } from "../../src/contract/index.js";

const memory = process.argv[2] ? readFileSync(process.argv[2], "utf8") : "{}";

const router = new Router({ prefix: "/v1", sensitive: true, strict: true });
for (const { method, path } of operations) {
  const isRead = method === "GET" || method === "DELETE";
  router.register(path.replace(/\{(\w+)\}/g, ":$1"), [method], isRead ? fromMemory : echo);
}

function fromMemory(ctx: Context): void {
  ctx.set("Content-Type", "application/json; charset=utf-8");
  ctx.body = memory;
}

async function echo(ctx: Context): Promise<void> {
  const body = JSON.parse((await readBytes(ctx.req)).toString()) as unknown;
  ctx.status = 201;
  ctx.set("Content-Type", "application/json; charset=utf-8");
  ctx.body = JSON.stringify(body);
}

const app = new Koa();
app.use(router.routes() as never);
const server = createServer({ keepAliveTimeout: 75_000 }, app.callback());
server.listen({ host: "127.0.0.1", port: 0, backlog: 1_024 }, () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ listen: `http://127.0.0.1:${port}` })}\n`);
});
process.on("SIGTERM", () => process.exit(0));
