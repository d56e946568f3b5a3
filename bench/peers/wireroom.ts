/** Wireroom itself: POST /wires, and a recipient that waits in a long-poll. */
import { Client, type Dispatcher } from "undici";
import { seededDatabase } from "../data/seed.js";
import * as world from "../data/world.js";
import { startDaemon } from "../servers/daemon.js";
import type { Peer } from "./peer.js";

export const wireroom: Peer = {
  name: "Wireroom",
  durability: "fsync",
  async start() {
    return startDaemon(await seededDatabase({ wires: 10_000 }, () => undefined));
  },
  async connect(url, _run, pair) {
    const sender = authorized(world.keyOf(world.READERS + 2 * pair));
    const recipient = world.READERS + 2 * pair + 1;
    const receiver = authorized(world.keyOf(recipient));
    const [sending, receiving] = [new Client(url), new Client(url)];
    let cursor = "";
    const receive = async () => {
      for (;;) {
        const path = `/v1/inbox?wait=30${cursor && `&cursor=${cursor}`}`;
        const page = await json(receiving, { method: "GET", path, headers: receiver });
        cursor = page.next_cursor as string;
        if ((page.wires as unknown[]).length > 0) return;
      }
    };
    return {
      async exchange(text) {
        const received = receive();
        const body = JSON.stringify({ to: `@${world.slugOf(recipient)}`, text });
        await json(sending, { method: "POST", path: "/v1/wires", headers: sender, body });
        await received;
      },
      close() {
        void sending.destroy();
        void receiving.destroy();
      },
    };
  },
};

function authorized(key: string) {
  return { authorization: `Bearer ${key}`, "content-type": "application/json" };
}

async function json(client: Client, request: Dispatcher.RequestOptions): Promise<Record<string, unknown>> {
  const { statusCode, body } = await client.request(request);
  if (statusCode >= 300) throw new Error(`${request.path}: ${statusCode} ${await body.text()}`);
  return (await body.json()) as Record<string, unknown>;
}
