/**
 * Change events between daemons, by LISTEN and NOTIFY on a connection of its own.
 *
 * Events are sent right after a commit, not within it: a transaction that notifies holds a lock of the whole server while it
 * commits, so every commit would wait for the disk alone. Events of several commits share a notification. A daemon may die before
 * it sends, and a connection may break: so every two seconds events count as possibly missed, and long-polls look for themselves.
 * The same connection asks for the server's time.
 */
import pg from "pg";
import { SECOND } from "../../../kernel/clock.js";
import { newSecret, randomBelow } from "../../../kernel/ids.js";
import { type EventBus, fromText, type HandleEvent, toText } from "../events.js";
import { ServerClock } from "./server-clock.js";

const CHANNEL = "wireroom";
const TIME = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time";
const LOOK_EVERY = 2 * SECOND;
/** A server that has not answered for this long is taken for gone. */
const ANSWER_TIMEOUT = 3 * SECOND;
const LONGEST_PAUSE = 2 * SECOND;
/** Characters of a notification; PostgreSQL takes less than 8,000 bytes. */
const MAX_LENGTH = 7_000;

export class Listener {
  /** Tells this daemon's own notifications from those of others. */
  private readonly self = newSecret().slice(0, 12);
  private readonly timer: NodeJS.Timeout;
  private readonly clock = new ServerClock();
  private client: pg.Client | undefined;
  private outbox = new Set<string>();
  private sending = false;
  private failures = 0;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    private readonly config: pg.ClientConfig,
    private readonly events: EventBus,
  ) {
    this.timer = setInterval(() => {
      events.publish(undefined);
      const { client } = this;
      if (client) this.askTime(client).catch(() => client.end());
    }, LOOK_EVERY);
    this.timer.unref();
  }

  /** Listens from when it resolves, unless the server is away: then from when it is back. */
  async connect(): Promise<void> {
    if (this.closed) return;
    const client = new pg.Client({ ...this.config, query_timeout: ANSWER_TIMEOUT });
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      if (this.client === client) this.client = undefined;
      client.end().catch(() => undefined);
      this.reconnect();
    };
    client.on("error", over);
    client.on("end", over);
    client.on("notification", ({ payload }) => this.receive(payload ?? ""));
    try {
      await client.connect();
      await this.askTime(client);
      // Notifications are no data: nobody waits for the disk because of them.
      await client.query("SET synchronous_commit = off");
      await client.query(`LISTEN ${CHANNEL}`);
    } catch {
      over();
      return;
    }
    this.failures = 0;
    this.client = client;
    this.events.publish(undefined);
    void this.flush();
  }

  /** Publishes events in this daemon at once, and sends them to the others. */
  send(events: readonly HandleEvent[]): void {
    for (const event of events) {
      this.events.publish(event);
      this.outbox.add(toText(event));
    }
    if (events.length > 0) void this.flush();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    clearTimeout(this.retry);
    await this.flush();
    await this.client?.end().catch(() => undefined);
  }

  /** What cannot be sent is dropped: the other daemons look for themselves. */
  private async flush(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      while (this.outbox.size > 0) {
        const subjects = [...this.outbox];
        this.outbox = new Set();
        for (const payload of this.payloads(subjects)) {
          await this.client?.query({
            name: "notify",
            text: "SELECT pg_notify($1, $2)",
            values: [CHANNEL, payload],
          });
        }
      }
    } catch {
      this.client?.end().catch(() => undefined);
    } finally {
      this.sending = false;
    }
  }

  private *payloads(subjects: readonly string[]): Iterable<string> {
    let payload = this.self;
    for (const subject of subjects) {
      if (payload.length + subject.length > MAX_LENGTH) {
        yield payload;
        payload = this.self;
      }
      payload += ` ${subject}`;
    }
    yield payload;
  }

  private receive(payload: string): void {
    const [sender, ...subjects] = payload.split(" ");
    if (sender === this.self) return;
    for (const subject of subjects) this.events.publish(fromText(subject));
  }

  /** What does not answer this is gone. */
  private askTime(client: pg.Client): Promise<void> {
    return this.clock.ask(async () => (await client.query<{ time: number }>(TIME)).rows[0]!.time);
  }

  private reconnect(): void {
    if (this.closed || this.retry) return;
    const pause = Math.min(100 * 2 ** this.failures++, LONGEST_PAUSE);
    this.retry = setTimeout(
      () => {
        this.retry = undefined;
        void this.connect();
      },
      pause / 2 + randomBelow(pause / 2),
    );
    this.retry.unref();
  }
}
