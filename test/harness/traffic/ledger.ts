/** Stores which wires the daemons acknowledged, and compares them with the wires that readers received. */

const MINUTE_MS = 60_000;

/** A wire that a daemon acknowledged. It must be delivered exactly once. */
export interface SentWire {
  /** Name of the wire. Its idempotency key and its text are the same string. */
  name: string;
  /** One of the sender's streams. Each stream sends one wire after the other. */
  stream: string;
  /** Position of the wire in its stream. */
  sequence: number;
  sender: string;
  to: string;
  /** Time of the first attempt, in milliseconds of `performance.now()`. */
  startedAt: number;
  /** Time at which the response arrived. */
  acknowledgedAt: number;
  id: string;
  /** Index of the daemon that acknowledged the wire. */
  daemonIndex: number;
}

export class DeliveryLedger {
  readonly acknowledged: SentWire[] = [];
  /** Descriptions of violated guarantees. A test expects none. */
  readonly violations: string[] = [];
  /** Handles that got a 429 response. */
  readonly rateLimitedSenders = new Set<string>();
  /** Number of requests for each daemon that got a 503 or no response. */
  readonly failedRequests: number[] = [];

  addAcknowledged(wire: SentWire): void {
    this.acknowledged.push(wire);
  }

  /** Returns the ids of the wires to a recipient that were acknowledged so far. */
  acknowledgedTo(recipient: string): string[] {
    return this.acknowledged.filter(({ to }) => to === recipient).map(({ id }) => id);
  }

  /** Counts the wires that a daemon acknowledged at or after `since`. */
  countAcknowledgedBy(daemon: number, since = 0): number {
    return this.acknowledged.filter(
      ({ daemonIndex, acknowledgedAt }) => daemonIndex === daemon && acknowledgedAt >= since,
    ).length;
  }

  /** Returns the highest number of a sender's wires that were certainly stored within one minute. */
  peakPerMinute(sender: string): number {
    const sent = this.acknowledged.filter((wire) => wire.sender === sender);
    return Math.max(
      0,
      ...sent.map(
        ({ startedAt }) =>
          sent.filter((other) => other.startedAt >= startedAt && other.acknowledgedAt < startedAt + MINUTE_MS)
            .length,
      ),
    );
  }

  /**
   * Checks the wires that a recipient received, in order. Each acknowledged wire must appear once, no other
   * wire may appear, and the wires of each stream must be in sending order. Adds each violation to
   * `violations`.
   */
  checkDelivery(recipient: string, received: readonly { id: string; text: string }[]): void {
    const expected = new Map(
      this.acknowledged.filter(({ to }) => to === recipient).map((wire) => [wire.id, wire]),
    );
    const receivedIds = new Set(received.map(({ id }) => id));
    for (const { name } of [...expected.values()].filter(({ id }) => !receivedIds.has(id)))
      this.violations.push(`${name} was acknowledged but not delivered`);
    if (receivedIds.size < received.length)
      this.violations.push(
        `${received.length - receivedIds.size} wires were delivered to ${recipient} twice`,
      );
    const lastSequence = new Map<string, number>();
    for (const { id, text } of received) {
      const wire = expected.get(id);
      if (wire === undefined)
        this.violations.push(`${text} was delivered to ${recipient} but never acknowledged`);
      else if ((lastSequence.get(wire.stream) ?? -1) > wire.sequence)
        this.violations.push(`${text} was delivered out of order`);
      else lastSequence.set(wire.stream, wire.sequence);
    }
  }
}
