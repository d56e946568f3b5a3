/** Compares what a service stores with what its clients know. */
import type { Ledger, SentWire } from "../load/ledger.js";
import { LONGEST_CLAIM_S, SPACES, type World } from "../load/world.js";
import type { Observed, ObservedInbox, ObservedWire } from "./observed.js";

const NEVER = Number.POSITIVE_INFINITY;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * The moment to which the observation belongs, with an uncertainty. A request between `from` and `to` may or
 * may not have had its effect.
 */
export interface Moment {
  /** Everything that was acknowledged before must be there. */
  from: number;
  /** Nothing that was sent later may be there. */
  to: number;
}

/**
 * Returns the violated guarantees.
 * @param moment when the service lost power or was copied; by default, all requests came before
 */
export function verify(
  world: World,
  observed: Observed,
  moment: Moment = { from: Number.MAX_VALUE, to: Number.MAX_VALUE },
): string[] {
  const { ledger } = world;
  const check = new Check(ledger, moment);
  for (const [slug, inbox] of observed.inboxes) check.inbox(slug, inbox);
  for (const [space, wires] of observed.feeds) check.delivered(`#${space}`, wires);
  check.presence(observed);
  check.spaceNotices(observed);
  for (const { slug, isHeld } of world.agents) if (isHeld) check.decisions(slug, observed);
  check.votes(observed.feeds.get(SPACES.ballot) ?? []);
  check.claims(observed.feeds.get(SPACES.queue) ?? [], world.clockJumps);
  // A held wire counts when it is held, not when it is sent, so skip the agent whose wires are held.
  const unheld = world.agents.filter(({ isHeld }) => !isHeld);
  for (const { slug } of unheld) {
    check.counted(slug, observed);
    if (world.perMinute !== undefined) check.perMinute(slug, world.perMinute);
  }
  check.found(observed);
  return [...ledger.violations, ...check.violations];
}

class Check {
  readonly violations: string[] = [];

  constructor(
    private readonly ledger: Ledger,
    private readonly moment: Moment,
  ) {}

  private wireOf({ id, name }: ObservedWire): SentWire | undefined {
    return this.ledger.byId.get(id) ?? (name === undefined ? undefined : this.ledger.wires.get(name));
  }

  private isRequired(wire: SentWire): boolean {
    return wire.acknowledgedAt <= this.moment.from;
  }

  inbox(slug: string, { wires, notices, checkpoint, readAt }: ObservedInbox): void {
    this.delivered(`@${slug}`, wires);
    if (new Set(notices).size < notices.length) this.violations.push(`@${slug} has a notice twice`);
    const noticed = new Set(notices);
    for (const wire of this.ledger.wires.values()) {
      if (wire.to !== `@${slug}` || !wire.id) continue;
      if (wire.removal && wire.removal.acknowledgedAt <= this.moment.from && !noticed.has(wire.id))
        this.violations.push(`the notice that ${wire.name} was removed is missing`);
    }
    for (const id of noticed)
      if (!((this.ledger.byId.get(id)?.removal?.startedAt ?? NEVER) < this.moment.to))
        this.violations.push(`@${slug} has a notice for ${id}, which nobody removed`);
    this.checkpoint(slug, checkpoint, readAt);
  }

  /**
   * Checks that the checkpoint is where an acknowledged cursor moved it, or where a later cursor without a
   * response may have moved it.
   */
  private checkpoint(slug: string, checkpoint: number, readAt: number): void {
    const from = Math.min(readAt, this.moment.from);
    const to = Math.min(readAt, this.moment.to);
    const attempts = this.ledger.cursorsOf(slug).filter(({ startedAt }) => startedAt < to);
    const least = Math.max(
      0,
      ...attempts.filter((each) => each.acknowledgedAt <= from).map(({ position }) => position),
    );
    const most = Math.max(0, ...attempts.map(({ position }) => position));
    if (checkpoint < least || checkpoint > most)
      this.violations.push(`@${slug}: the checkpoint is ${checkpoint}, not ${least} to ${most}`);
  }

  /**
   * Checks that each wire was sent to this place, is there once, and is in an order that the requests and
   * responses allow.
   */
  delivered(to: string, wires: readonly ObservedWire[]): void {
    const seen = new Set<string>();
    let leastAcknowledgedAt = NEVER;
    for (const observed of [...wires].reverse()) {
      const wire = this.wireOf(observed);
      if (!wire) {
        this.violations.push(`${to} has ${observed.name ?? observed.id}, which nobody sent`);
        continue;
      }
      if (seen.has(wire.name)) this.violations.push(`${to} has ${wire.name} twice`);
      seen.add(wire.name);
      if (wire.to !== to) this.violations.push(`${to} has ${wire.name}, which was sent to ${wire.to}`);
      if (wire.id !== undefined && wire.id !== observed.id)
        this.violations.push(`${wire.name} has the id ${observed.id}, but was acknowledged as ${wire.id}`);
      if (wire.refused) this.violations.push(`${to} has ${wire.name}, which was refused`);
      if (wire.startedAt > this.moment.to)
        this.violations.push(`${to} has ${wire.name}, which was sent later`);
      if (wire.startedAt > leastAcknowledgedAt)
        this.violations.push(`${to}: ${wire.name} is before a wire that was acknowledged before it was sent`);
      leastAcknowledgedAt = Math.min(leastAcknowledgedAt, wire.acknowledgedAt);
      this.removal(wire, observed);
    }
  }

  private removal({ name, removal }: SentWire, observed: ObservedWire): void {
    const isRemoved = observed.name === undefined;
    if (isRemoved && !(removal && removal.startedAt < this.moment.to))
      this.violations.push(`${name} has no text, but nobody removed it`);
    if (!isRemoved && removal && removal.acknowledgedAt <= this.moment.from)
      this.violations.push(`${name} was removed, but has its text`);
  }

  presence(observed: Observed): void {
    const ids = sentIds(observed);
    for (const wire of this.ledger.wires.values())
      if (this.isRequired(wire) && !ids.has(wire.id!))
        this.violations.push(`${wire.name} to ${wire.to} was acknowledged, but is missing`);
  }

  /** Checks that each wire in a space has one notice for each handle that it mentions or replies to. */
  spaceNotices({ inboxes, feeds }: Observed): void {
    const owed = new Set<string>();
    for (const observed of [...feeds.values()].flat()) {
      const wire = this.wireOf(observed);
      if (!wire) continue;
      const { sender, mentions, replyTo } = wire;
      for (const slug of mentions) if (slug !== sender) owed.add(`@${slug} mention ${observed.id}`);
      if (replyTo && replyTo.sender !== sender && !mentions.includes(replyTo.sender))
        owed.add(`@${replyTo.sender} reply ${observed.id}`);
    }
    for (const [slug, { spaceNotices }] of inboxes)
      for (const { id, reason } of spaceNotices)
        if (!owed.delete(`@${slug} ${reason} ${id}`))
          this.violations.push(`@${slug} has a notice of a ${reason} in ${id} twice, or wrongly`);
    for (const missing of owed) this.violations.push(`the notice is missing: ${missing}`);
  }

  /**
   * Checks that each decision has one notice, and that a held wire was sent if, and only if, the notice says
   * `approved`.
   */
  decisions(slug: string, observed: Observed): void {
    const sent = sentIds(observed);
    const statuses = new Map<string, string>();
    for (const { id, status } of observed.inboxes.get(slug)!.decisions) {
      if (statuses.has(id)) this.violations.push(`@${slug} has the decision on ${id} twice`);
      statuses.set(id, status);
      if (!this.ledger.byId.get(id)?.decision)
        this.violations.push(`@${slug} has a decision on ${id}, which nobody made`);
    }
    for (const { name, id, sender, decision } of this.ledger.wires.values()) {
      if (sender !== slug || !id || !decision) continue;
      const status = statuses.get(id);
      if (status === undefined && decision.acknowledgedAt <= this.moment.from)
        this.violations.push(`the notice that ${name} was ${decision.status} is missing`);
      if (status !== undefined && (status !== decision.status || decision.startedAt > this.moment.to))
        this.violations.push(`@${slug} has the notice that ${name} was ${status}`);
      if ((status === "approved") !== sent.has(id))
        this.violations.push(`${name} is ${status ?? "undecided"}, and ${sent.has(id) ? "" : "not "}sent`);
    }
  }

  votes(wires: readonly ObservedWire[]): void {
    const range = new Map<string, { least: number; most: number }>();
    for (const [key, attempts] of this.ledger.votes) {
      const name = key.split(" ")[1]!;
      const counts = range.get(name) ?? { least: 0, most: 0 };
      range.set(name, counts);
      const before = attempts.filter(({ startedAt }) => startedAt < this.moment.to);
      const last = before.findLastIndex(({ acknowledgedAt }) => acknowledgedAt <= this.moment.from);
      const possible = [last >= 0 && before[last]!.vote, ...before.slice(last + 1).map(({ vote }) => vote)];
      if (possible.every((vote) => vote)) counts.least++;
      if (possible.some((vote) => vote)) counts.most++;
    }
    for (const observed of wires) {
      const wire = this.wireOf(observed);
      if (!wire) continue;
      const { least, most } = range.get(wire.name) ?? { least: 0, most: 0 };
      if (!(observed.votes! >= least && observed.votes! <= most))
        this.violations.push(`${wire.name} has ${observed.votes} votes, not ${least} to ${most}`);
    }
  }

  claims(wires: readonly ObservedWire[], clockJumps: boolean): void {
    // After a long jump, the daemon waits before it corrects times in the future.
    const longest = clockJumps ? 3 * DAY_MS : LONGEST_CLAIM_S * 1_000 + MINUTE_MS;
    const latest = Date.now() + longest;
    for (const { id, name, claim } of wires) {
      if (!claim) continue;
      const known = this.ledger.claims.get(id) ?? [];
      const made = known.filter(({ receivedAt }) => receivedAt <= this.moment.from);
      const least = Math.max(0, ...made.map(({ attempt }) => attempt));
      if (claim.attempt < least)
        this.violations.push(`${name} was claimed ${claim.attempt} times, not ${least}`);
      const isFinished = known.some(({ finish }) => finish && finish.acknowledgedAt <= this.moment.from);
      if (isFinished && !claim.isDone) this.violations.push(`${name} was finished, but is not done`);
      const mayBeFinished = known.some(
        ({ attempt, finish }) => attempt === claim.attempt && finish && finish.startedAt < this.moment.to,
      );
      if (claim.isDone && !mayBeFinished) this.violations.push(`${name} is done, but nobody finished it`);
      if (claim.until > latest) this.violations.push(`${name} stays claimed until ${claim.until}`);
    }
  }

  /** Checks that the limit counts each stored wire once. */
  counted(slug: string, observed: Observed): void {
    const stored = sentWires(observed).filter((wire) => this.wireOf(wire)?.sender === slug).length;
    const count = observed.counted.get(slug);
    if (count !== stored)
      this.violations.push(`${count} wires of ${slug} are counted, but ${stored} are stored`);
  }

  /** Checks that each search finds exactly the wires of the feed that contain the word. */
  found({ feeds, found }: Observed): void {
    for (const [key, ids] of found) {
      const [space, word] = key.split(" ") as [string, string];
      const expected = feeds
        .get(space)!
        .filter((each) => each.name !== undefined && this.wireOf(each)?.words.includes(word))
        .map(({ id }) => id);
      if (ids.length !== expected.length || new Set([...ids, ...expected]).size !== expected.length)
        this.violations.push(
          `a search of ${space} for ${word} finds ${ids.length} of ${expected.length} wires`,
        );
    }
  }

  perMinute(slug: string, limit: number): void {
    const sent = [...this.ledger.wires.values()].filter(
      (wire) => wire.sender === slug && wire.acknowledgedAt < NEVER,
    );
    const starts = sent.map(({ startedAt }) => startedAt).sort((a, b) => a - b);
    const byAcknowledgement = [...sent].sort((a, b) => a.acknowledgedAt - b.acknowledgedAt);
    for (const start of starts) {
      const within = byAcknowledgement.filter(
        (wire) => wire.startedAt >= start && wire.acknowledgedAt < start + 60_000,
      ).length;
      if (within > limit) {
        this.violations.push(`${slug} sent ${within} wires in a minute, but the limit is ${limit}`);
        return;
      }
    }
  }
}

function sentWires({ inboxes, feeds }: Observed): ObservedWire[] {
  return [...[...inboxes.values()].map(({ wires }) => wires), ...feeds.values()].flat();
}

function sentIds(observed: Observed): Set<string> {
  return new Set(sentWires(observed).map(({ id }) => id));
}
