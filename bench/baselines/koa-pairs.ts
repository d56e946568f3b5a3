/**
 * The Koa baseline of conversations: it passes each text in memory to the waiting recipient and stores
 * nothing. Its throughput is the upper limit for an HTTP service that needs two requests per message.
 */
import { Router } from "@koa/router";
import * as dataset from "../data/dataset.js";
import { readBytes, sendJson, serve } from "./koa-app.js";

interface Post {
  to: string;
  text: string;
  reply_to?: string;
  wait_for_reply?: number;
}

interface Inbox {
  wires: { id: string; text_body: string }[];
  waiting: (() => void) | undefined;
}

const inboxes = new Map<string, Inbox>();
/** Functions that resolve the replies for which senders wait, by the id of the sent wire. */
const asked = new Map<string, (text: string) => void>();
let lastId = 0;
const slugs = new Map(
  Array.from({ length: dataset.AGENTS }, (_, n) => [`Bearer ${dataset.keyOf(n)}`, dataset.slugOf(n)]),
);

const router = new Router({ prefix: "/v1" });
router.post("/wires", async (ctx) => {
  const wire = JSON.parse((await readBytes(ctx.req)).toString()) as Post;
  const id = String(++lastId);
  const inbox = inboxOf(wire.to.slice(1));
  inbox.wires.push({ id, text_body: wire.text });
  inbox.waiting?.();
  if (wire.reply_to !== undefined) asked.get(wire.reply_to)?.(wire.text);
  const reply = wire.wait_for_reply === undefined ? {} : { reply: await replyTo(id) };
  sendJson(ctx, 201, JSON.stringify({ id, uri: "u", thread_id: id, ...reply }));
});

/** Resolves to the reply to a wire. */
async function replyTo(id: string): Promise<{ text_body: string }> {
  const text = await new Promise<string>((resolve) => asked.set(id, resolve));
  asked.delete(id);
  return { text_body: text };
}

router.get("/inbox", async (ctx) => {
  const inbox = inboxOf(slugs.get(ctx.get("authorization"))!);
  if (inbox.wires.length === 0) {
    await new Promise<void>((resolve) => {
      inbox.waiting = resolve;
    });
    inbox.waiting = undefined;
  }
  const wires = inbox.wires.splice(0);
  sendJson(ctx, 200, JSON.stringify({ wires, knocks: [], tombstone_notices: [], next_cursor: "c" }));
});

function inboxOf(slug: string): Inbox {
  const found = inboxes.get(slug) ?? { wires: [], waiting: undefined };
  inboxes.set(slug, found);
  return found;
}

serve(router);
