/**
 * The load. A lane is a series of requests, sent one after the other. Every agent sends, posts, votes and
 * removes in several lanes, and reads its inbox in another. Half of the agents also work on the queue.
 */
import type { Body, Reply } from "./http.js";
import { now, type SentWire } from "./ledger.js";
import { Worker } from "./workers.js";
import { type Agent, SPACES, type World } from "./world.js";

/** Words of the texts, for which searches are checked. */
export const WORDS = ["amber", "basalt", "cobalt", "dolomite", "ebony", "feldspar", "granite"] as const;

const MINUTE_S = 60;
/** Replies in these spaces are checked, so no wire there is removed. */
const UNREMOVED = [`#${SPACES.ballot}`, `#${SPACES.queue}`];

export interface LoadOptions {
  /** Number of sending lanes per agent. */
  lanes?: number;
  /**
   * Whether the effect of a request with a 503 response is unknown, as when a commit fails with an I/O error.
   */
  unavailableIsUnknown?: boolean;
  /**
   * Whether a lane continues after a lost connection. By default, all lanes end, because the daemon was
   * killed.
   */
  survivesLoss?: boolean;
  /** Largest size of a text in characters. */
  maxText?: number;
  /** Whether reads succeed although they cannot move a checkpoint, as while writes fail. */
  checkpointsMayStay?: boolean;
  /**
   * Whether acknowledged requests are sent again. By default they are; after 24 hours, a key is forgotten.
   */
  replays?: boolean;
  /** Pause after each request, in milliseconds. */
  pauseMs?: number;
  /** Prefix of the wires' names, because an agent must never use a name twice. */
  label?: string;
}

interface Lane {
  agent: Agent;
  index: number;
  next: number;
  /** Wires of this lane without a response, which are sent again with the same key. */
  open: SentWire[];
  /** Acknowledged wires of this lane. */
  own: SentWire[];
}

export class Load {
  private readonly lanes: Lane[];
  private readonly readers: InboxLane[];
  private readonly workers: Worker[];
  /** Acknowledged wires in the space in which agents vote. */
  private readonly ballot: SentWire[] = [];

  constructor(
    private readonly world: World,
    private readonly options: LoadOptions = {},
  ) {
    this.lanes = world.agents.flatMap((agent, n) =>
      // The first agent sends from more lanes, so that it is the first to reach a limit.
      Array.from({ length: (options.lanes ?? 2) * (n === 0 ? 2 : 1) }, (_, index) => ({
        agent,
        index,
        next: 0,
        open: [],
        own: [],
      })),
    );
    // Half of the agents work.
    this.workers = world.agents
      .filter((_, n) => world.hasNotices && n % 2 === 0)
      .map((agent) => new Worker(agent, world, options));
    this.readers = world.agents.map(
      (agent) => new InboxLane(agent, world, options.checkpointsMayStay ?? false),
    );
  }

  /** Runs all lanes for a time. */
  async runFor(milliseconds: number): Promise<void> {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), milliseconds);
    await this.run(ending.signal);
    clearTimeout(timer);
  }

  /** Runs all lanes until the signal is aborted or, unless the load survives it, their connections break. */
  async run(signal: AbortSignal): Promise<void> {
    let isLost = false;
    const loop = async (step: () => Promise<boolean>) => {
      while (!signal.aborted && !isLost) {
        const answered = await step();
        if (!answered && !this.options.survivesLoss) isLost = true;
        if (!answered) await pause(20);
        else if (this.options.pauseMs) await pause(this.options.pauseMs);
      }
    };
    await Promise.all([
      ...this.lanes.map((lane) => loop(() => this.step(lane))),
      ...this.readers.map((reader) => loop(() => reader.step())),
      ...this.workers.map((worker) => loop(() => worker.step())),
    ]);
  }

  /** Sends one request of a lane. Returns whether a response arrived. */
  private step(lane: Lane): Promise<boolean> {
    const { random } = this.world;
    const open = lane.open.pop();
    // Some wires are never retried, so that their effect stays unknown.
    if (open && random.chance(0.7)) return this.post(lane, open);
    const choice = random.next();
    if (lane.agent.isHeld && choice > 0.6) return this.decide();
    if (choice < 0.45) return this.post(lane, this.compose(lane, `@${this.pick(this.world.agents)!.slug}`));
    if (choice < 0.7) return this.post(lane, this.compose(lane, `#${this.pick(Object.values(SPACES))}`));
    if (choice < 0.85) return this.vote(lane);
    if (choice < 0.93) return this.remove(lane);
    return this.options.replays === false ? this.vote(lane) : this.replay(lane);
  }

  private pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.world.random.below(items.length)];
  }

  private compose(lane: Lane, to: string): SentWire {
    const name = `${this.options.label ?? ""}${lane.agent.slug}.${lane.index}.${lane.next++}`;
    const { agents, hasNotices, ledger, random } = this.world;
    const words = WORDS.filter(() => random.chance(0.2));
    const notifies = () => hasNotices && to.startsWith("#") && random.chance(0.3);
    const mentions = notifies() ? [this.pick(agents)!.slug] : [];
    // No wire in this space is removed.
    const replyTo = to === `#${SPACES.ballot}` && notifies() ? this.pick(this.ballot.slice(-40)) : undefined;
    const wire = { name, sender: lane.agent.slug, to, words, mentions, replyTo };
    // Notes to oneself are never held.
    const isHeld = lane.agent.isHeld && to !== `@${lane.agent.slug}`;
    return ledger.open({ ...wire, refused: isHeld });
  }

  private async post(lane: Lane, wire: SentWire): Promise<boolean> {
    const { ledger, http, random, perMinute } = this.world;
    const startedAt = now();
    const reply = await http.send(lane.agent.key, "POST", "/wires", this.bodyOf(wire), {
      "Idempotency-Key": wire.name,
    });
    if (reply?.status === 201) {
      ledger.acknowledge(wire, reply.body);
      lane.own.push(wire);
      if (wire.to === `#${SPACES.ballot}`) this.ballot.push(wire);
      return true;
    }
    if (reply?.status === 202) return true;
    if (reply?.status === 429) {
      // If the wire were stored, the response would be a replay, unless an earlier request is still under
      // way.
      if (!(wire.wasLost && this.options.survivesLoss)) wire.refused = true;
      ledger.counts.limited++;
      if (!(reply.body.retry_after <= MINUTE_S))
        ledger.violations.push(`${wire.name} is to wait ${reply.body.retry_after} s for a limit per minute`);
      if (perMinute !== undefined && !lane.agent.isHeld) this.expectLimitReached(wire, startedAt, perMinute);
      await pause(50);
      return true;
    }
    if (this.isUnknown(reply, `POST /wires ${wire.name}`)) {
      ledger.counts.unknown++;
      wire.wasLost = true;
      if (random.chance(0.9)) lane.open.push(wire);
      return reply !== undefined;
    }
    // The response says nothing about an earlier request with this key.
    if (!wire.wasLost) wire.refused = true;
    ledger.counts.refused++;
    if (random.chance(0.5)) lane.open.push(wire);
    await pause(50);
    return true;
  }

  /** The text depends only on the name, so a retry has an equal body. */
  private bodyOf({ name, to, words, mentions, replyTo }: SentWire): object {
    const length = [...name].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 65_521, 7);
    const filler = "x".repeat(length % (this.options.maxText ?? 600));
    const text = [name, ...words, filler].join(" ");
    return { to, text, payload: { name }, mentions, ...(replyTo && { reply_to: replyTo.id }) };
  }

  /** Decides on one of the last held wires as the human. The same decision may be sent again. */
  private async decide(): Promise<boolean> {
    const { human, ledger, http, random } = this.world;
    const list = await http.send(human, "GET", "/approvals?status=pending&limit=10");
    if (list?.status !== 200) {
      this.isUnknown(list, "GET /approvals");
      return list !== undefined;
    }
    const approval = this.pick<Body>(list.body.approvals);
    if (!approval) return true;
    const wire = ledger.wires.get(approval.wire.payload.name)!;
    wire.id = approval.wire.id as string;
    ledger.byId.set(wire.id, wire);
    if (!wire.decision) {
      const status = random.chance(0.7) ? "approved" : "rejected";
      wire.startedAt = now();
      wire.decision = { status, startedAt: wire.startedAt, acknowledgedAt: Number.POSITIVE_INFINITY };
      wire.refused = status === "rejected";
    }
    const { decision } = wire;
    const reply = await http.send(human, "PUT", `/approvals/${approval.id}`, { status: decision.status });
    if (reply?.status === 200) {
      decision.acknowledgedAt = Math.min(decision.acknowledgedAt, now());
      ledger.counts.decided++;
      if (decision.status === "approved") ledger.release(wire);
      if (reply.body.status !== decision.status || reply.body.error !== null)
        ledger.violations.push(`${wire.name} was ${decision.status}: ${JSON.stringify(reply.body)}`);
    } else this.isUnknown(reply, "PUT /approvals");
    return reply !== undefined;
  }

  /**
   * Checks that a 429 is justified: as many wires as the limit allows may have been stored in the last
   * minute.
   */
  private expectLimitReached(refused: SentWire, at: number, perMinute: number): void {
    let possible = 0;
    for (const wire of this.world.ledger.wires.values())
      if (wire.sender === refused.sender && !wire.refused && wire.acknowledgedAt > at - 61_000) possible++;
    if (possible < perMinute)
      this.world.ledger.violations.push(
        `${refused.name} was refused with 429 after at most ${possible} of ${perMinute} wires`,
      );
  }

  private async vote(lane: Lane): Promise<boolean> {
    const { ledger, http, random } = this.world;
    const wire = this.pick(this.ballot.slice(-40));
    if (!wire) return true;
    const attempts = ledger.votesOf(lane.agent.slug, wire.name);
    const last = attempts.at(-1);
    // Do not change a vote whose last request has no response, or has none yet.
    if (last && last.acknowledgedAt === Number.POSITIVE_INFINITY) return true;
    const attempt = {
      vote: last ? random.chance(0.3) : true,
      startedAt: now(),
      acknowledgedAt: Number.POSITIVE_INFINITY,
    };
    attempts.push(attempt);
    const method = attempt.vote ? "PUT" : "DELETE";
    const reply = await http.send(lane.agent.key, method, `/wires/${wire.id}/vote`);
    if (reply?.status === 200) attempt.acknowledgedAt = now();
    else if (!this.isUnknown(reply, `${method} vote`)) attempts.splice(attempts.indexOf(attempt), 1);
    return reply !== undefined;
  }

  private async remove(lane: Lane): Promise<boolean> {
    const wire = this.pick(lane.own);
    if (!wire || wire.removal || UNREMOVED.includes(wire.to)) return true;
    const removal = { startedAt: now(), acknowledgedAt: Number.POSITIVE_INFINITY };
    wire.removal = removal;
    const reply = await this.world.http.send(lane.agent.key, "DELETE", `/wires/${wire.id}`);
    if (reply?.status === 200) removal.acknowledgedAt = now();
    else if (!this.isUnknown(reply, "DELETE wire")) delete wire.removal;
    return reply !== undefined;
  }

  /** Sends an acknowledged request again. It must return the first response, even if the limit is reached. */
  private async replay(lane: Lane): Promise<boolean> {
    const { ledger, http } = this.world;
    const wire = this.pick(lane.own);
    if (!wire) return true;
    const headers = { "Idempotency-Key": wire.name };
    const reply = await http.send(lane.agent.key, "POST", "/wires", this.bodyOf(wire), headers);
    if (reply?.status === 201) ledger.acknowledge(wire, reply.body);
    else if (reply?.status !== 503 && reply !== undefined)
      ledger.violations.push(`${wire.name}: its key returned 201, then ${reply.status}`);
    return reply !== undefined;
  }

  /** Returns whether the effect of a failed request is unknown. Records any status but 503 as a violation. */
  private isUnknown(reply: Reply | undefined, request: string): boolean {
    if (!reply) return true;
    if (reply.status === 503) return this.options.unavailableIsUnknown ?? false;
    this.world.ledger.violations.push(`${request}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return true;
  }
}

/** Reads the inbox of one agent, page after page, and acknowledges each page by its cursor. */
class InboxLane {
  private cursor: string;
  /** Items before the cursor. */
  private position = 0;
  private readonly seen = new Set<string>();

  constructor(
    private readonly agent: Agent,
    private readonly world: World,
    private readonly checkpointMayStay: boolean,
  ) {
    this.cursor = agent.start;
  }

  async step(): Promise<boolean> {
    const { ledger, http, random } = this.world;
    const attempts = ledger.cursorsOf(this.agent.slug);
    const attempt = { position: this.position, startedAt: now(), acknowledgedAt: Number.POSITIVE_INFINITY };
    attempts.push(attempt);
    const limit = 1 + random.below(20);
    const path = `/inbox?limit=${limit}&wait=${random.below(2)}&cursor=${encodeURIComponent(this.cursor)}`;
    const reply = await http.send(this.agent.key, "GET", path);
    if (reply?.status !== 200) {
      if (reply && reply.status !== 503) ledger.violations.push(`GET /inbox: ${reply.status}`);
      return reply !== undefined;
    }
    if (!this.checkpointMayStay) attempt.acknowledgedAt = now();
    const { next_cursor, ...lists } = reply.body;
    for (const { id } of lists.wires) {
      if (this.seen.has(id)) ledger.violations.push(`${this.agent.slug} received ${id} twice`);
      this.seen.add(id);
    }
    for (const items of Object.values<unknown[]>(lists)) this.position += items.length;
    this.cursor = next_cursor;
    return true;
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
