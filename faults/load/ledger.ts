/**
 * The knowledge of the clients: for each request, when it was sent and when its response arrived. A request
 * without a response may or may not have taken effect. Times are milliseconds of the machine's monotonic
 * clock, which all processes share.
 */

/** Returns the monotonic time in milliseconds. It is comparable with CLOCK_MONOTONIC in other processes. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A wire that a lane tried to send. Its name is its idempotency key and the first word of its text. */
export interface SentWire {
  name: string;
  sender: string;
  /** `@slug` or `#slug`. */
  to: string;
  /** Words of the text, for which searches are checked. */
  words: readonly string[];
  mentions: readonly string[];
  /** A wire in the same space. */
  replyTo?: SentWire | undefined;
  startedAt: number;
  /** When the first successful response arrived. Infinity: never, so the wire may or may not be stored. */
  acknowledgedAt: number;
  id?: string;
  /** The body of that response. A request with the same key returns it again. */
  response?: string;
  /** The last response refused it, and no earlier one is missing. It must not be stored. */
  refused?: boolean;
  /** A request for it got no response. */
  wasLost?: boolean;
  removal?: Attempt;
  /** What a human did with a held wire. It is sent when it is approved. */
  decision?: Attempt & { status: "approved" | "rejected" };
}

/** A request that changes a register, such as a vote, with the same times as a wire. */
export interface Attempt {
  startedAt: number;
  acknowledgedAt: number;
}

export interface VoteAttempt extends Attempt {
  vote: boolean;
}

/** A cursor that a reader presented: the inbox items before `position` are acknowledged. */
export interface CursorAttempt extends Attempt {
  position: number;
}

export class Ledger {
  readonly wires = new Map<string, SentWire>();
  readonly byId = new Map<string, SentWire>();
  /** The votes of each agent for each wire, by `voter wire-name`, oldest first. */
  readonly votes = new Map<string, VoteAttempt[]>();
  readonly cursors = new Map<string, CursorAttempt[]>();
  /** Violations that were seen while the load ran, such as an unexpected status. */
  readonly violations: string[] = [];
  readonly counts = { acknowledged: 0, unknown: 0, refused: 0, replayed: 0, limited: 0, decided: 0 };

  open(wire: Omit<SentWire, "startedAt" | "acknowledgedAt">): SentWire {
    const sent = { ...wire, startedAt: now(), acknowledgedAt: Number.POSITIVE_INFINITY };
    this.wires.set(sent.name, sent);
    return sent;
  }

  acknowledge(wire: SentWire, body: { id: string }): void {
    const { id } = body;
    const response = JSON.stringify(body);
    if (wire.response !== undefined) {
      if (wire.response !== response)
        this.violations.push(`${wire.name}: its key returned ${wire.response}, then ${response}`);
      this.counts.replayed++;
      return;
    }
    wire.response = response;
    const other = this.byId.get(id);
    if (other) this.violations.push(`${wire.name} and ${other.name} have the same id ${id}`);
    wire.id = id;
    delete wire.refused;
    wire.acknowledgedAt = now();
    this.byId.set(id, wire);
    this.counts.acknowledged++;
  }

  /** Notes that a human has approved a held wire, which is sent with that. */
  release(wire: SentWire): void {
    if (wire.acknowledgedAt < Number.POSITIVE_INFINITY) return;
    wire.acknowledgedAt = now();
    this.counts.acknowledged++;
  }

  /** Resolves once `count` more wires are acknowledged, or after a time without them. */
  async waitForAcknowledged(count: number, longestMs: number): Promise<void> {
    const target = this.counts.acknowledged + count;
    const end = now() + longestMs;
    while (this.counts.acknowledged < target && now() < end)
      await new Promise((resolve) => setTimeout(resolve, 2));
  }

  /** Returns a ledger for a copy of the service, in which checkpoints move separately. */
  forCopy(): Ledger {
    const cursors = new Map([...this.cursors].map(([slug, attempts]) => [slug, [...attempts]]));
    return Object.assign(Object.create(Ledger.prototype) as Ledger, this, { cursors });
  }

  /** The attempts for one vote. */
  votesOf(voter: string, name: string): VoteAttempt[] {
    return entry(this.votes, `${voter} ${name}`, () => []);
  }

  cursorsOf(reader: string): CursorAttempt[] {
    return entry(this.cursors, reader, () => []);
  }
}

function entry<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
