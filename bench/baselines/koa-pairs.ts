/**
 * The Koa baseline of conversations: it passes each text in memory to the waiting recipient and stores nothing. Its throughput
 * is the upper limit for an HTTP service that needs two requests per message.
 */
import { Router } from "@koa/router";
import * as dataset from "../data/dataset.js";
import { readBytes, sendJson, serve } from "./koa-app.js";

interface Inbox {
  texts: string[];
  waiting: (() => void) | undefined;
}

const inboxes = new Map<string, Inbox>();
const slugs = new Map(
  Array.from({ length: dataset.AGENTS }, (_, n) => [`Bearer ${dataset.keyOf(n)}`, dataset.slugOf(n)]),
);

const router = new Router({ prefix: "/v1" });
router.post("/wires", async (ctx) => {
  const { to, text } = JSON.parse((await readBytes(ctx.req)).toString()) as { to: string; text: string };
  const inbox = inboxOf(to.slice(1));
  inbox.texts.push(text);
  inbox.waiting?.();
  sendJson(ctx, 201, JSON.stringify({ id: "w", uri: "u", thread_id: "w" }));
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
  sendJson(ctx, 200, JSON.stringify({ wires, knocks: [], tombstone_notices: [], next_cursor: "c" }));
});

function inboxOf(slug: string): Inbox {
  const found = inboxes.get(slug) ?? { texts: [], waiting: undefined };
  inboxes.set(slug, found);
  return found;
}

serve(router);
