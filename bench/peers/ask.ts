/** Peers of the row `ask`: a pair asks, and waits for the answer of its other side. */
import type pg from "pg";
import { koa } from "./koa.js";
import { NatsClient, nats } from "./nats.js";
import { connectAskOverHttp } from "./pairs-over-http.js";
import type { Peer } from "./peer.js";
import { connected, postgres } from "./postgres.js";
import { wireroom } from "./wireroom.js";

const overHttp: Peer["connect"] = async (url, _run, pair) => connectAskOverHttp(url, pair);

/** Stores a text and notifies its recipient, in one statement and one commit. */
const SEND = `WITH stored AS (INSERT INTO wires (id, sender, recipient, body) VALUES ($1, $2, $3, $4) RETURNING seq)
  SELECT pg_notify($3, seq::text) FROM stored`;
const RECEIVE = "SELECT body FROM wires WHERE seq = $1";

/** One side of a pair: stores texts for the other side, and reads the texts that it is notified of. */
class PostgresSide {
  private sent = 0;

  private constructor(
    private readonly client: pg.Client,
    private readonly name: string,
    private readonly other: string,
  ) {}

  static async connect(url: string, name: string, other: string): Promise<PostgresSide> {
    const client = await connected(url);
    await client.query(`LISTEN "${name}"`);
    return new PostgresSide(client, name, other);
  }

  async send(text: string): Promise<void> {
    const values = [`${this.name}-${this.sent++}`, 0, this.other, text];
    await this.client.query({ name: "send", text: SEND, values });
  }

  onText(listener: (text: string) => void): void {
    this.client.on("notification", ({ payload }) => {
      this.client
        .query<{ body: string }>({ name: "receive", text: RECEIVE, values: [payload] })
        .then(({ rows }) => listener(rows[0]!.body))
        // The last query fails when the pair is closed.
        .catch(() => undefined);
    });
  }

  close(): void {
    void this.client.end();
  }
}

export const askPeers: readonly Peer[] = [
  { ...wireroom, name: "Wireroom, wait_for_reply", connect: overHttp },
  {
    ...postgres,
    name: "PostgreSQL, LISTEN and NOTIFY",
    async connect(url, run, pair) {
      const [asker, replier] = [`${run}-${pair}-asker`, `${run}-${pair}-replier`];
      const [asking, replying] = [
        await PostgresSide.connect(url, asker, replier),
        await PostgresSide.connect(url, replier, asker),
      ];
      replying.onText((text) => void replying.send(text).catch(() => undefined));
      let resolve = (_text: string) => {};
      asking.onText((text) => resolve(text));
      return {
        async exchange(text) {
          const answered = new Promise((done) => {
            resolve = done;
          });
          await asking.send(text);
          await answered;
        },
        close() {
          asking.close();
          replying.close();
        },
      };
    },
  },
  {
    ...nats,
    name: "NATS, request and reply",
    durability: "nothing is stored",
    async connect(url, run, pair) {
      const [asking, replying] = [new NatsClient(url), new NatsClient(url)];
      const subject = `ask${run}.${pair}`;
      replying.echo(subject);
      await replying.flush();
      return {
        async exchange(text) {
          await asking.request(subject, text);
        },
        close() {
          asking.close();
          replying.close();
        },
      };
    },
  },
  { ...koa, name: "Koa, in memory, waiting", connect: overHttp },
];
