/**
 * Records what the clients know: for each request, when it was sent and when its response arrived. A request
 * without a response may or may not have taken effect. Times are milliseconds of the machine's monotonic
 * clock, which all processes share.
 */

/** Returns the monotonic time in milliseconds. It is comparable with CLOCK_MONOTONIC in other processes. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A wire that the load tried to send. Its name is its idempotency key and the first word of its text. */
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
  /**
   * The last response refused the wire, and every earlier request got a response. The wire must not be
   * stored.
   */
  refused?: boolean;
  /** A request that sent the wire got no response. */
  wasLost?: boolean;
  removal?: Attempt;
  /** The human's decision on a held wire. An approval sends the wire. */
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

/** A claim that a worker knows about. */
export interface Claim {
  /** Id of the job. */
  wire: string;
  job: SentWire;
  token: string;
  attempt: number;
  sentAt: number;
  receivedAt: number;
  /** The earliest time at which the claim expires. */
  until: number;
  /** When the worker first tried to finish the job or to give it back. */
  endedAt?: number;
  /** The first attempt to finish the job. */
  finish?: Attempt;
}

/** A cursor that a reader presented: the inbox items before `position` are acknowledged. */
export interface CursorAttempt extends Attempt {
  position: number;
}

/** Possible error of daemons, which estimate PostgreSQL's clock. */
const CLOCK_ERROR_MS = 250;

export class Ledger {
  readonly wires = new Map<string, SentWire>();
  readonly byId = new Map<string, SentWire>();
  /** The votes of each agent for each wire, by `voter wire-name`, oldest first. */
  readonly votes = new Map<string, VoteAttempt[]>();
  readonly cursors = new Map<string, CursorAttempt[]>();
  /** The known claims by id of the wire. */
  readonly claims = new Map<string, Claim[]>();
  /** Violations that occurred while the load ran, such as an unexpected status. */
  readonly violations: string[] = [];
  readonly counts = {
    acknowledged: 0,
    unknown: 0,
    refused: 0,
    replayed: 0,
    limited: 0,
    decided: 0,
    claims: 0,
    finished: 0,
  };

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

  /** Records that the human has approved a held wire, and that the approval has sent it. */
  release(wire: SentWire): void {
    if (wire.acknowledgedAt < Number.POSITIVE_INFINITY) return;
    wire.acknowledgedAt = now();
    this.counts.acknowledged++;
  }

  /**
   * Records a claim from a response. Returns false if the claim was already in an earlier response to the
   * same request.
   * @param clockJumps whether claims may expire before their time
   */
  addClaim(claim: Claim, clockJumps: boolean): boolean {
    const others = this.claimsOf(claim.wire);
    const name = `the claim ${claim.attempt} of ${claim.wire}`;
    const same = others.find(({ attempt }) => attempt === claim.attempt);
    if (same && same.token !== claim.token) this.violations.push(`${name} has two tokens`);
    if (same) return false;
    for (const other of others) {
      const isLater = claim.attempt > other.attempt;
      if (other.receivedAt < claim.sentAt && !isLater)
        this.violations.push(`${name} was made after the claim ${other.attempt}`);
      if (other.finish && other.finish.acknowledgedAt < claim.sentAt)
        this.violations.push(`${name} was made after the wire was finished`);
      const [first, second] = isLater ? [other, claim] : [claim, other];
      if (
        !clockJumps &&
        second.receivedAt < first.until - CLOCK_ERROR_MS &&
        !(first.endedAt! < second.receivedAt)
      )
        this.violations.push(`${name} was made while another one lasted`);
    }
    others.push(claim);
    this.counts.claims++;
    return true;
  }

  /** Records that the service accepted the token of a claim. */
  acceptToken({ wire, attempt }: Claim, sentAt: number): void {
    const later = this.claimsOf(wire).find((other) => other.attempt > attempt && other.receivedAt < sentAt);
    if (later)
      this.violations.push(`the token ${attempt} of ${wire} was valid after the claim ${later.attempt}`);
  }

  finish(claim: Claim, sentAt: number): void {
    this.acceptToken(claim, sentAt);
    for (const other of this.claimsOf(claim.wire))
      if (other.finish && other.finish.acknowledgedAt < Number.POSITIVE_INFINITY && other !== claim)
        this.violations.push(
          `${claim.wire} was finished by the claims ${other.attempt} and ${claim.attempt}`,
        );
    claim.finish!.acknowledgedAt = Math.min(claim.finish!.acknowledgedAt, now());
    this.counts.finished++;
  }

  claimsOf(wire: string): Claim[] {
    return entry(this.claims, wire, () => []);
  }

  /** Resolves once `count` more wires are acknowledged, or after a time without them. */
  async waitForAcknowledged(count: number, longestMs: number): Promise<void> {
    const target = this.counts.acknowledged + count;
    const end = now() + longestMs;
    while (this.counts.acknowledged < target && now() < end)
      await new Promise((resolve) => setTimeout(resolve, 2));
  }

  /** Returns a ledger for a copy of the service, whose checkpoints move independently. */
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
