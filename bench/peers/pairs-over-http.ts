/** A pair that uses Wireroom's API: the sender calls POST /wires, and the recipient waits in a long-poll. */
import { Client, type Dispatcher } from "undici";
import * as dataset from "../data/dataset.js";
import type { Pair } from "./peer.js";

export function connectOverHttp(url: string, pair: number): Pair {
  const sender = authorized(dataset.keyOf(dataset.READERS + 2 * pair));
  const recipient = dataset.READERS + 2 * pair + 1;
  const receiver = authorized(dataset.keyOf(recipient));
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
      const body = JSON.stringify({ to: `@${dataset.slugOf(recipient)}`, text });
      await json(sending, { method: "POST", path: "/v1/wires", headers: sender, body });
      await received;
    },
    close() {
      void sending.destroy();
      void receiving.destroy();
    },
  };
}

/**
 * A pair whose sender asks with `wait_for_reply`. The recipient waits in a long poll, and replies to each
 * wire.
 */
export function connectAskOverHttp(url: string, pair: number): Pair {
  const agents = [dataset.READERS + 2 * pair, dataset.READERS + 2 * pair + 1] as const;
  const [asker, replier] = agents.map((agent) => authorized(dataset.keyOf(agent))) as [Headers, Headers];
  const [asking, replying] = [new Client(url), new Client(url)];
  const post = (client: Client, headers: Headers, wire: object) =>
    json(client, { method: "POST", path: "/v1/wires", headers, body: JSON.stringify(wire) });
  let isOpen = true;
  const replyToAll = async () => {
    for (let cursor = ""; isOpen; ) {
      const path = `/v1/inbox?wait=30${cursor && `&cursor=${cursor}`}`;
      const page = await json(replying, { method: "GET", path, headers: replier });
      cursor = page.next_cursor as string;
      for (const { id, text_body } of page.wires as { id: string; text_body: string }[])
        await post(replying, replier, { to: `@${dataset.slugOf(agents[0])}`, text: text_body, reply_to: id });
    }
  };
  // The last long poll fails when the pair is closed.
  replyToAll().catch(() => undefined);
  return {
    async exchange(text) {
      const to = `@${dataset.slugOf(agents[1])}`;
      const { reply } = await post(asking, asker, { to, text, wait_for_reply: 30 });
      if (!reply) throw new Error("no reply");
    },
    close() {
      isOpen = false;
      void asking.destroy();
      void replying.destroy();
    },
  };
}

type Headers = ReturnType<typeof authorized>;

function authorized(key: string) {
  return { authorization: `Bearer ${key}`, "content-type": "application/json" };
}

/** Sends a request with `dispatch`, because undici's body streams would take CPU time from the server. */
function json(client: Client, request: Dispatcher.RequestOptions): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    let status = 0;
    const chunks: Buffer[] = [];
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, code) {
        status = code;
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        const body = (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString();
        if (status < 300) resolve(JSON.parse(body) as Record<string, unknown>);
        else reject(new Error(`${request.path}: ${status} ${body}`));
      },
      onResponseError: (_controller, error) => reject(error),
    });
  });
}
