/**
 * Sends change events to other daemons, and receives theirs, with LISTEN and NOTIFY on a dedicated
 * connection.
 *
 * Events are sent after the commit and outside the transaction. Inside the transaction, NOTIFY would hold a
 * server-wide lock during the commit, so concurrent commits could not share a disk flush. One notification
 * carries the events of several commits.
 *
 * Delivery is not guaranteed, because a daemon can stop before it sends, and a connection can break. So every
 * two seconds, this class tells all listeners that events may have been lost. It also uses its connection to
 * synchronise the server clock.
 */
import pg from "pg";
import { MINUTE, monotonicMs, SECOND } from "../../../kernel/clock.js";
import { newSecret, randomBelow } from "../../../kernel/ids.js";
import type { Session } from "../engine.js";
import { type ChangeEvent, decodeEvent, type EventBus, encodeEvent } from "../events.js";
import type { StoreStatistics } from "../statistics.js";
import { ServerClock } from "./server-clock.js";

const CHANNEL = "wireroom";
const TIME = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS time";
const SIZE = "SELECT pg_database_size(current_database())::float8 AS bytes";
const POLL_INTERVAL_MS = 2 * SECOND;
/** After this time without a response, the connection is replaced. */
const RESPONSE_TIMEOUT_MS = 3 * SECOND;
const MAX_RECONNECT_DELAY_MS = 2 * SECOND;
/** PostgreSQL rejects notifications of 8,000 bytes or more. */
const MAX_PAYLOAD_LENGTH = 7_000;

export class Listener {
  /** Identifies this daemon's own notifications, which it ignores. */
  private readonly senderId = newSecret().slice(0, 12);
  private readonly timer: NodeJS.Timeout;
  private readonly clock = new ServerClock();
  private client: pg.Client | undefined;
  private outbox = new Set<string>();
  private sending = false;
  private failures = 0;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;
  private measureAtMs = 0;

  constructor(
    private readonly config: pg.ClientConfig,
    private readonly events: EventBus,
    private readonly statistics: StoreStatistics,
  ) {
    statistics.listenerSeenAtMs = monotonicMs();
    this.timer = setInterval(() => {
      events.publish(undefined);
      const { client } = this;
      if (client) this.synchroniseClock(client).catch(() => client.end());
    }, POLL_INTERVAL_MS);
    this.timer.unref();
  }

  /**
   * Connects and runs LISTEN. Resolves even if the server is unreachable; the listener then keeps
   * reconnecting.
   */
  async connect(): Promise<void> {
    if (this.closed) return;
    const client = new pg.Client({ ...this.config, query_timeout: RESPONSE_TIMEOUT_MS });
    let isDisconnected = false;
    const disconnect = () => {
      if (isDisconnected) return;
      isDisconnected = true;
      if (this.client === client) this.client = undefined;
      client.end().catch(() => undefined);
      this.reconnect();
    };
    client.on("error", disconnect);
    client.on("end", disconnect);
    client.on("notification", ({ payload }) => this.receive(payload ?? ""));
    try {
      await client.connect();
      await this.synchroniseClock(client);
      // Do not wait for the disk, because notifications need not be durable.
      await client.query("SET synchronous_commit = off");
      await client.query(`LISTEN ${CHANNEL}`);
    } catch {
      disconnect();
      return;
    }
    // The engine was closed while this connection was being set up.
    if (this.closed) return disconnect();
    this.failures = 0;
    this.client = client;
    this.statistics.listenerSeenAtMs = monotonicMs();
    this.events.publish(undefined);
    void this.flush();
  }

  async ensureClock(session: Session): Promise<void> {
    if (!this.clock.isKnown)
      await this.clock.synchronise(async () => (await session.get<{ time: number }>(TIME))!.time);
  }

  send(events: readonly ChangeEvent[]): void {
    for (const event of events) {
      this.events.publish(event);
      this.outbox.add(encodeEvent(event));
    }
    if (events.length > 0) void this.flush();
  }

  /** The current connection may lead to a server that was replaced. */
  replaceConnection(): void {
    this.client?.end().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    clearTimeout(this.retry);
    await this.flush();
    await this.client?.end().catch(() => undefined);
  }

  /** Drops the events if sending fails, because other daemons reload every two seconds anyway. */
  private async flush(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      while (this.outbox.size > 0) {
        const events = [...this.outbox];
        this.outbox = new Set();
        for (const payload of this.payloads(events)) {
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

  private *payloads(events: readonly string[]): Iterable<string> {
    let payload = this.senderId;
    for (const event of events) {
      if (payload.length + event.length > MAX_PAYLOAD_LENGTH) {
        yield payload;
        payload = this.senderId;
      }
      payload += ` ${event}`;
    }
    yield payload;
  }

  private receive(payload: string): void {
    const [sender, ...events] = payload.split(" ");
    if (sender === this.senderId) return;
    for (const event of events) this.events.publish(decodeEvent(event));
  }

  private async synchroniseClock(client: pg.Client): Promise<void> {
    await this.clock.synchronise(async () => (await client.query<{ time: number }>(TIME)).rows[0]!.time);
    if (this.client === client) this.statistics.listenerSeenAtMs = monotonicMs();
    if (monotonicMs() < this.measureAtMs) return;
    this.measureAtMs = monotonicMs() + MINUTE;
    const size = await client.query<{ bytes: number }>(SIZE).catch(() => undefined);
    this.statistics.databaseBytes = size?.rows[0]?.bytes;
  }

  private reconnect(): void {
    if (this.closed || this.retry) return;
    const delayMs = Math.min(100 * 2 ** this.failures++, MAX_RECONNECT_DELAY_MS);
    this.retry = setTimeout(
      () => {
        this.retry = undefined;
        void this.connect();
      },
      delayMs / 2 + randomBelow(delayMs / 2),
    );
    this.retry.unref();
  }
}
