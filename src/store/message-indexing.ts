/**
 * Adds direct messages to the full-text index after they were stored. Indexing them in the same transaction
 * would make sending much slower.
 *
 * - `meta` stores up to which wire all messages are indexed. On PostgreSQL, wires may be committed in another
 *   order than that of their primary keys, so a pass ends at the last wire that the pass before has seen.
 * - Before a handle searches its messages, those that no pass has reached are indexed.
 * - If another daemon on the same PostgreSQL database has moved the stored key since the last pass, a daemon
 *   leaves the work to it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE, SECOND } from "../kernel/clock.js";
import { type Engine, type StoreLog, StoreUnavailable, type Transaction } from "./engine/engine.js";
import { INDEXED_MESSAGES, storeMark } from "./engine/meta.js";
import { type Document, enqueueMissingWires } from "./fulltext/index.js";
import type { IndexMerging } from "./fulltext/index-merging.js";
import { Pace } from "./retention/pace.js";
import { wireDocuments } from "./wires/search-documents.js";

/** On PostgreSQL, longer than a transaction takes from getting the keys of its wires to its commit. */
const INTERVAL_MS = { sqlite: SECOND, postgres: 10 * SECOND };
/** A statement looks for messages among this many wires, so that it is short. */
const RANGE = 1_000;

/** Bounds of what a search indexes: the wires among which it looks for messages, and the messages. */
const MAX_SEARCHED = 100_000;
const MAX_INDEXED = 1_000;

const STATE = `SELECT ${INDEXED_MESSAGES} AS indexed, (SELECT coalesce(max(pk), 0) FROM wires) AS last`;
const IS_MISSING = `w.pk > ? AND w.pk <= ? AND w.space IS NULL AND w.removed_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM wires_fts f WHERE f.rowid = w.pk)`;
const MISSING = `SELECT w.pk FROM wires w WHERE ${IS_MISSING} ORDER BY w.pk`;
const MISSING_OF_HANDLE = `SELECT w.pk FROM wires w WHERE ${IS_MISSING} AND ? IN (w.sender, w.recipient)
  ORDER BY w.pk DESC LIMIT ${MAX_INDEXED}`;
const STORE_INDEXED = storeMark("indexed", "?");

interface State {
  /** All messages up to this primary key are indexed. */
  indexed: number;
  /** The primary key of the last wire. */
  last: number;
}

export class MessageIndexing {
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

  start(): void {
    this.running = this.run();
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
    const { indexed, last } = await this.state();
    const range = [Math.max(indexed, last - MAX_SEARCHED), last];
    const missing = await this.engine.reader.all<{ pk: number }>(MISSING_OF_HANDLE, [...range, handle]);
    const pks = missing.map(({ pk }) => pk);
    try {
      while (pks.length > 0) {
        const documents = await this.documents(pks.splice(0, this.pace.size));
        await this.engine.write((tx) => addToIndex(tx, documents));
        this.merging.addDocuments(documents.length);
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  private async state(): Promise<State> {
    return (await this.engine.reader.get<State>(STATE))!;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const intervalMs = INTERVAL_MS[this.engine.reader.engine];
    let before: State | undefined;
    let waitMs = intervalMs;
    while (await sleep(waitMs, true, { signal, ref: false }).catch(() => false)) {
      waitMs = intervalMs;
      try {
        let { indexed, last } = await this.state();
        if (before && indexed === before.indexed) {
          while (indexed < before.last) indexed = await this.indexRange(indexed, before.last);
        }
        before = { indexed, last };
      } catch (err) {
        if (signal.aborted) return;
        this.log.warn({ err }, "direct messages could not be indexed; the next try is in a minute");
        waitMs = MINUTE;
      }
    }
  }

  /** Returns where the range ended. */
  private async indexRange(from: number, end: number): Promise<number> {
    const to = Math.min(from + RANGE, end);
    const missing = await this.engine.reader.all<{ pk: number }>(MISSING, [from, to]);
    const pks = missing.map(({ pk }) => pk);
    do {
      const documents = await this.documents(pks.splice(0, this.pace.size));
      await this.pace.step(async (tx) => {
        await addToIndex(tx, documents);
        if (pks.length === 0) tx.enqueue(STORE_INDEXED, [to]);
        return documents.length;
      });
      this.merging.addDocuments(documents.length);
    } while (pks.length > 0);
    return to;
  }

  private documents(pks: readonly number[]): Promise<Document[]> {
    return wireDocuments(this.engine.reader, pks);
  }
}

async function addToIndex(tx: Transaction, documents: readonly Document[]): Promise<void> {
  if (documents.length === 0) return;
  // A message that is removed at the same time must not be indexed again.
  await tx.lock(
    "wires",
    "pk",
    documents.map(([pk]) => pk),
  );
  enqueueMissingWires(tx, documents);
}
