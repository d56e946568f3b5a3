/**
 * Adds direct messages to the full-text index when their sender or recipient searches. Few handles search,
 * and indexing every message would make sending much slower (docs/performance-internals.md).
 *
 * A search first indexes the newest messages of its handle. If the handle has more, `fill` then indexes all
 * of them, from the oldest on, for one handle after another.
 *
 * `ends` stores the positions up to which a handle's messages are indexed. Inbox items and sent wires get
 * their positions under locks, so no message appears before an end. The exception is a wire that was held,
 * which is therefore indexed when it is sent. After a restart, the first search of a handle looks again for
 * messages that are not indexed.
 */
import { LRUCache } from "lru-cache";
import { type Engine, type StoreLog, StoreUnavailable, type Transaction } from "./engine/engine.js";
import { NUMBERED_INTEGERS, numberedIntegers, sql } from "./engine/sql.js";
import { enqueueMissingWires } from "./fulltext/index.js";
import type { IndexMerging } from "./fulltext/index-merging.js";
import { INBOX_KIND } from "./inbox/notices.js";
import { Pace } from "./retention/pace.js";
import { wireDocuments } from "./wires/search-documents.js";

/** Maximum number of inbox items, and of sent wires, that one read examines. */
const PAGE_SIZE = 1_000;
const MAX_HANDLES = 10_000;

type Order = "ASC" | "DESC";

const received = (order: Order) =>
  `SELECT seq, kind, ref FROM inbox WHERE handle = ? AND seq > ? ORDER BY seq ${order} LIMIT ${PAGE_SIZE}`;
const RECEIVED = { ASC: received("ASC"), DESC: received("DESC") };
const sent = (order: Order) =>
  `SELECT pk, recipient FROM wires WHERE sender = ? AND (created_at, sender_no) > (?, ?)
     ORDER BY created_at ${order}, sender_no ${order} LIMIT ${PAGE_SIZE}`;
const SENT = { ASC: sent("ASC"), DESC: sent("DESC") };
const PLACE = "SELECT created_at, sender_no FROM wires WHERE pk = ?";
const MISSING = sql`SELECT q.value AS pk FROM ${NUMBERED_INTEGERS.table("q")}
  WHERE NOT EXISTS (SELECT 1 FROM wires_fts f WHERE f.rowid = q.value)`;

interface End {
  /** Sequence number of the last indexed inbox item. */
  received: number;
  /** Primary key of the last indexed sent wire. If retention deleted it, all sent wires are read again. */
  sent: number;
}

interface Page {
  pks: number[];
  end: End;
  isLast: boolean;
}

export class MessageIndexing {
  private readonly ends = new LRUCache<number, End>({ maxSize: MAX_HANDLES, sizeCalculation: () => 1 });
  /** Handles whose messages are indexed in the background. */
  private readonly waiting = new Set<number>();
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private readonly pace: Pace;

  constructor(
    private readonly engine: Engine,
    private readonly merging: IndexMerging,
    private readonly log: StoreLog,
  ) {
    this.pace = new Pace(engine, this.stopping.signal);
  }

  /** Stops after the current step. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /**
   * Indexes the newest messages that a handle sent or received, so that its search finds them. While the
   * database cannot be written, the search finds those that were indexed before.
   */
  async indexFor(handle: number): Promise<void> {
    const { pks, end, isLast } = await this.readPage(handle, "DESC");
    try {
      await this.index(pks, (work) => this.engine.write(work));
    } catch (error) {
      if (error instanceof StoreUnavailable) return;
      throw error;
    }
    if (isLast) this.ends.set(handle, end);
    else this.fillLater(handle);
  }

  private fillLater(handle: number): void {
    this.waiting.add(handle);
    this.running ??= this.fillWaiting().finally(() => {
      this.running = undefined;
    });
  }

  private async fillWaiting(): Promise<void> {
    for (const handle of this.waiting) {
      try {
        await this.fill(handle);
      } catch (err) {
        if (this.stopping.signal.aborted) return;
        this.log.warn({ err }, "direct messages could not be indexed; the next search tries again");
      }
      this.waiting.delete(handle);
    }
  }

  private async fill(handle: number): Promise<void> {
    for (;;) {
      // A page with nothing to index, as most are after a restart, has no step that would notice the abort.
      this.stopping.signal.throwIfAborted();
      const { pks, end, isLast } = await this.readPage(handle, "ASC");
      await this.index(pks, (work) => this.pace.step(work));
      this.ends.set(handle, end);
      if (isLast) return;
    }
  }

  /** Returns the oldest (`ASC`) or the newest messages after the handle's end. */
  private async readPage(handle: number, order: Order): Promise<Page> {
    const { reader } = this.engine;
    const end = this.ends.get(handle) ?? { received: 0, sent: 0 };
    const place = await reader.get<{ created_at: number; sender_no: number }>(PLACE, [end.sent]);
    const items = await reader.all<{ seq: number; kind: number; ref: number }>(RECEIVED[order], [
      handle,
      end.received,
    ]);
    const wires = await reader.all<{ pk: number; recipient: number | null }>(SENT[order], [
      handle,
      place?.created_at ?? 0,
      place?.sender_no ?? 0,
    ]);
    const newest = order === "DESC" ? 0 : -1;
    return {
      pks: [
        ...items.flatMap(({ kind, ref }) => (kind === INBOX_KIND.wire ? [ref] : [])),
        ...wires.flatMap(({ pk, recipient }) => (recipient === null ? [] : [pk])),
      ],
      end: { received: items.at(newest)?.seq ?? end.received, sent: wires.at(newest)?.pk ?? end.sent },
      isLast: items.length < PAGE_SIZE && wires.length < PAGE_SIZE,
    };
  }

  /** @param step runs a transaction; for work in the background, it then pauses */
  private async index(
    pks: readonly number[],
    step: (work: (tx: Transaction) => Promise<number>) => Promise<number>,
  ): Promise<void> {
    const { reader } = this.engine;
    const missing = await reader.all<{ pk: number }>(MISSING, [numberedIntegers([...new Set(pks)])]);
    while (missing.length > 0) {
      const next = missing.splice(0, this.pace.size).map(({ pk }) => pk);
      const documents = await wireDocuments(reader, next, this.log);
      if (documents.length === 0) continue;
      await step(async (tx) => {
        // A message that is removed at the same time must not be indexed again.
        await tx.lock(
          "wires",
          "pk",
          documents.map(([pk]) => pk),
        );
        enqueueMissingWires(tx, documents);
        return documents.length;
      });
      this.merging.addDocuments(documents.length);
    }
  }
}
