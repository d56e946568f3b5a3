/**
 * Generates the wires of a database: 40 or 50 % are DMs, the others are in spaces, and a third are replies.
 */
import type { Wire } from "../../src/contract/shapes.js";
import { isoTime } from "../../src/kernel/clock.js";
import { searchableText, termsOf } from "../../src/store/fulltext/index.js";
import type { NewWire } from "../../src/store/posting/insert.js";
import { toDoc } from "../../src/store/wires/wire-json.js";
import * as dataset from "./dataset.js";
import { Random } from "./random.js";
import { textOf } from "./text.js";

/**
 * Time of the first wire. The others follow every `STEP` milliseconds, or faster, so that they span at most
 * five months.
 */
const START = Date.UTC(2026, 0, 1);
const STEP = 13_000;
const MAX_SPAN = 1_000_000 * STEP;

export interface SeededWire {
  wire: NewWire;
  /** Numbers of the agents that voted for the wire. */
  voters: number[];
}

/** A wire that can get replies. */
interface Parent {
  pk: number;
  sender: number;
  thread: number;
}

/** Returns the primary key of a handle or space. Agent and space numbers start at 0, primary keys at 1. */
const pkOf = (number: number) => number + 1;

/** When wires were sent: the first one after `fromMs` (Unix time), the others every `stepMs`. */
export interface Times {
  fromMs: number;
  stepMs: number;
}

/** @param total number of wires of the database */
const usualTimes = (total: number): Times => ({ fromMs: START, stepMs: Math.min(STEP, MAX_SPAN / total) });

const createdAtOf = (pk: number, { fromMs, stepMs }: Times) => fromMs + Math.floor(pk * stepMs);

const idAt = (pk: number, times: Times) => dataset.idOf("wire", pk, createdAtOf(pk, times));

/** @param total number of wires of the database */
export const wireIdOf = (pk: number, total: number) => idAt(pk, usualTimes(total));

export class WireSource {
  private readonly random = new Random(20_260_101);
  private readonly sent = new Map<number, number>();
  private readonly inboxHeads = new Map<number, number>();
  /** The latest wire of each space and of each pair of agents. */
  private readonly latest = new Map<string, Parent>();
  private fixedRoot: Parent | undefined;
  private fixedReplies = 0;
  private readonly every: number;

  constructor(
    readonly total: number,
    private readonly handleIds: readonly string[],
    private readonly spaceIds: readonly string[],
    private readonly distribution: dataset.Distribution,
    private readonly times: Times = usualTimes(total),
  ) {
    this.every = Math.floor(total / dataset.FIXED_WIRES);
  }

  /** Returns the sequence number of the last item in the agent's inbox. */
  inboxHead(agent: number): number {
    return this.inboxHeads.get(agent) ?? 0;
  }

  /** Returns the wire with this primary key. Must be called in order, from 1. */
  next(pk: number): SeededWire {
    const sender = this.sender();
    const place = this.every > 2 ? pk % this.every : -1;
    const turn = Math.floor(pk / this.every);
    if (place === 1 && turn < dataset.FIXED_WIRES)
      return this.inFixedSpace(pk, this.distribution.isGrowing ? turn % dataset.READERS : sender, turn);
    if (place === 2 && turn < dataset.READERS * dataset.READER_WIRES)
      return this.dm(pk, sender, turn % dataset.READERS);
    if (this.random.chance(this.distribution.bigShare)) return this.inSpace(pk, sender, dataset.BIG_SPACE);
    const others = dataset.SPACES - 2;
    if (this.random.chance(this.distribution.isGrowing ? 0.2 : 0.4))
      return this.inSpace(pk, sender, 2 + this.random.zipf(others));
    return this.dm(pk, sender, this.otherAgent());
  }

  private sender(): number {
    return this.distribution.isGrowing ? this.otherAgent() : this.random.below(this.distribution.agents);
  }

  /** Returns an agent that is not a reader. */
  private otherAgent(): number {
    return dataset.READERS + this.random.below(this.distribution.agents - dataset.READERS);
  }

  private inFixedSpace(pk: number, sender: number, turn: number): SeededWire {
    const isReply = this.fixedRoot !== undefined && this.fixedReplies < dataset.THREAD_REPLIES;
    const isTurn = isReply && this.random.chance(0.25);
    if (isTurn) this.fixedReplies++;
    const isRare = this.distribution.isGrowing && turn % dataset.RARE_EVERY === 0;
    const words = isRare ? `${dataset.COMMON_WORD} ${dataset.RARE_WORD} ` : `${dataset.COMMON_WORD} `;
    const to = { space: dataset.FIXED_SPACE };
    const seeded = this.make(pk, sender, to, isTurn ? this.fixedRoot : undefined, words);
    this.fixedRoot ??= { pk, sender, thread: pk };
    return seeded;
  }

  private inSpace(pk: number, sender: number, space: number): SeededWire {
    const parent = this.random.chance(0.35) ? this.latest.get(`space ${space}`) : undefined;
    return this.make(pk, sender, { space }, parent);
  }

  private dm(pk: number, sender: number, recipient: number): SeededWire {
    const parent = this.latest.get(`dm ${recipient} ${sender}`);
    return this.make(pk, sender, { recipient }, parent);
  }

  private make(
    pk: number,
    sender: number,
    to: { recipient?: number; space?: number },
    parent: Parent | undefined,
    words = "",
  ): SeededWire {
    const { random } = this;
    const { recipient, space } = to;
    const isQuote = space === dataset.QUOTE_SPACE;
    const text = isQuote ? null : words + textOf(random, 60 + random.zipf(500));
    const payload = isQuote || random.chance(0.3) ? quoteOf(random) : null;
    const id = idAt(pk, this.times);
    const createdAt = createdAtOf(pk, this.times);
    const resource: Wire = {
      id,
      sender_id: this.handleIds[sender]!,
      recipient_id: recipient === undefined ? null : this.handleIds[recipient]!,
      space_id: space === undefined ? null : this.spaceIds[space]!,
      sender: dataset.slugOf(sender),
      recipient: recipient === undefined ? null : dataset.slugOf(recipient),
      space: space === undefined ? null : dataset.spaceSlugOf(space),
      text_body: text,
      payload,
      schema_ref: isQuote ? `${dataset.QUOTE_SUBJECT}@1` : null,
      reply_to: parent ? idAt(parent.pk, this.times) : null,
      thread_id: idAt(parent?.thread ?? pk, this.times),
      reply_rule: null,
      tombstone: null,
      created_at: isoTime(createdAt),
      origin: { sent_by: "agent", approved: false, relation: recipient === undefined ? null : "stranger" },
      hops: parent ? 1 : 0,
      mentions: [],
    };
    const wire: NewWire = {
      id,
      sender: pkOf(sender),
      sender_no: count(this.sent, sender),
      recipient: recipient === undefined ? null : pkOf(recipient),
      space: space === undefined ? null : pkOf(space),
      thread: parent?.thread ?? null,
      reply_to: parent?.pk ?? null,
      parent_votable: null,
      reply_rule: null,
      created_at: createdAt,
      doc: toDoc(resource),
      notices: [],
      terms: space === undefined ? null : termsOf(searchableText(text, payload)),
      inbox_seq: recipient === undefined ? null : count(this.inboxHeads, recipient),
    };
    const key = space === undefined ? `dm ${sender} ${recipient}` : `space ${space}`;
    this.latest.set(key, { pk, sender, thread: parent?.thread ?? pk });
    return { wire, voters: space === undefined ? [] : this.voters() };
  }

  /** Returns the voters of a wire: most wires have none, a few have many. */
  private voters(): number[] {
    const { random } = this;
    if (!random.chance(0.1)) return [];
    const votes = 1 + Math.floor(random.next() ** 3 * 40);
    const { agents } = this.distribution;
    const first = random.below(agents);
    return Array.from({ length: votes }, (_, n) => pkOf((first + n) % agents));
  }
}

/** Returns a payload that is valid under the quote schema. */
export function quoteOf(random: Random): Record<string, unknown> {
  return {
    item: textOf(random, 40),
    price: random.below(100_000) / 100,
    currency: ["EUR", "USD", "JPY"][random.below(3)],
    quantity: 1 + random.below(100),
    delivery: { city: textOf(random, 8), days: random.below(30) },
  };
}

function count(counts: Map<number, number>, key: number): number {
  const next = (counts.get(key) ?? 0) + 1;
  counts.set(key, next);
  return next;
}
