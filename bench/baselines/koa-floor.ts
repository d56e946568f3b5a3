/**
 * The floor: Koa with the daemon's routes and a bounded reader of bodies, and nothing else. A POST is parsed and echoed; a GET
 * answers bytes from memory. Argument: a file with those bytes.
 */
import { readFileSync } from "node:fs";
import { Router } from "@koa/router";
import type { Context } from "koa";
import { operations } from "../../src/contract/index.js";
import { answerJson, readBytes, serve } from "./koa-app.js";

const memory = process.argv[2] ? readFileSync(process.argv[2], "utf8") : "{}";

const router = new Router({ prefix: "/v1", sensitive: true, strict: true });
for (const { method, path } of operations) {
  const isRead = method === "GET" || method === "DELETE";
  router.register(path.replace(/\{(\w+)\}/g, ":$1"), [method], isRead ? fromMemory : echo);
}

function fromMemory(ctx: Context): void {
  answerJson(ctx, 200, memory);
}

async function echo(ctx: Context): Promise<void> {
  const body = JSON.parse((await readBytes(ctx.req)).toString()) as unknown;
  answerJson(ctx, 201, JSON.stringify(body));
}

serve(router);
