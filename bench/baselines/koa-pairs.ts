/**
 * The floor of conversations: Koa that keeps texts in memory, hands each to whoever waits for it, and stores nothing. What
 * pairs reach here is what HTTP leaves a service that takes two requests a message.
 */
import { Router } from "@koa/router";
import * as world from "../data/world.js";
import { answerJson, readBytes, serve } from "./koa-app.js";

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
  answerJson(ctx, 201, JSON.stringify({ id: "w", uri: "u", thread_id: "w" }));
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
  answerJson(ctx, 200, JSON.stringify({ wires, knocks: [], tombstone_notices: [], next_cursor: "c" }));
});

function inboxOf(slug: string): Inbox {
  const found = inboxes.get(slug) ?? { texts: [], waiting: undefined };
  inboxes.set(slug, found);
  return found;
}

serve(router);
