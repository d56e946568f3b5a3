/**
 * The Koa baseline: only Koa, the daemon's routes and a body reader with a size limit. It parses and echoes
 * the body of a POST, and answers a GET with bytes from memory. Argument: a file with these bytes.
 */
import { readFileSync } from "node:fs";
import { Router } from "@koa/router";
import type { Context } from "koa";
import { operations } from "../../src/contract/index.js";
import { readBytes, sendJson, serve } from "./koa-app.js";

const memory = process.argv[2] ? readFileSync(process.argv[2], "utf8") : "{}";

const router = new Router({ prefix: "/v1", sensitive: true, strict: true });
for (const { method, path } of operations) {
  const isRead = method === "GET" || method === "DELETE";
  router.register(path.replace(/\{(\w+)\}/g, ":$1"), [method], isRead ? fromMemory : echo);
}

function fromMemory(ctx: Context): void {
  sendJson(ctx, 200, memory);
}

async function echo(ctx: Context): Promise<void> {
  const body = JSON.parse((await readBytes(ctx.req)).toString()) as unknown;
  sendJson(ctx, 201, JSON.stringify(body));
}

serve(router);
