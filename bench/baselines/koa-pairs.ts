/**
 * The floor of conversations: Koa that keeps texts in memory, hands each to whoever waits for it, and stores nothing. What
 * pairs reach here is what HTTP leaves a service that takes two requests a message.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Router } from "@koa/router";
import Koa, { type Context } from "koa";
import { readBytes } from "../../daemon/http/body.js";
import * as world from "../data/world.js";

interface Inbox {
  texts: string[];
  waiting: (() => void) | undefined;
}

const inboxes = new Map<string, Inbox>();
const slugs = new Map(
  Array.from({ length: world.AGENTS }, (_, n) => [`Bearer ${world.keyOf(n)}`, world.slugOf(n)]),
);

const router = new Router({ prefix: "/v1" });
router.post("/wires", async (ctx) => {
  const { to, text } = JSON.parse((await readBytes(ctx.req)).toString()) as { to: string; text: string };
  const inbox = inboxOf(to.slice(1));
  inbox.texts.push(text);
  inbox.waiting?.();
  answer(ctx, 201, { id: "w", uri: "u", thread_id: "w" });
});
router.get("/inbox", async (ctx) => {
  const inbox = inboxOf(slugs.get(ctx.get("authorization"))!);
  if (inbox.texts.length === 0) {
    await new Promise<void>((resolve) => {
      inbox.waiting = resolve;
    });
    inbox.waiting = undefined;
  }
  const wires = inbox.texts.splice(0).map((text) => ({ id: "w", text }));
  answer(ctx, 200, { wires, next_cursor: "c", has_more: false });
});

function inboxOf(slug: string): Inbox {
  const found = inboxes.get(slug) ?? { texts: [], waiting: undefined };
  inboxes.set(slug, found);
  return found;
}

function answer(ctx: Context, status: number, body: object): void {
  ctx.status = status;
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
