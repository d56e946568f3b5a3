/**
 * Merges the segments of SQLite's full-text index of wires. Each batch of posts adds a segment, and a search
 * reads all segments. Without this class, FTS5 would merge segments during some INSERTs, which would delay
 * posts (docs/performance-internals.md).
 */
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE, monotonicMs, SECOND } from "../../kernel/clock.js";
import type { BatchedWrite, Engine, StoreLog } from "../engine/engine.js";

const TABLE = "wires_fts";
/** A small number, so that other writes wait only briefly. */
const STEP_PAGES = 64;
const MERGE = `INSERT INTO ${TABLE} (${TABLE}, rank) VALUES ('merge', ${STEP_PAGES})`;
/** A wire adds at most one page, which each level of the index writes again. */
const PAGES_PER_WIRE = 8;
const MAX_OWED_PAGES = 64 * STEP_PAGES;
const FIRST_MS = SECOND;
const MIN_PAUSE_MS = 10;
/** After a step, merging pauses for this multiple of its duration, so that other writes can run. */
const PAUSE_FACTOR = 3;

/** This write is batched, because SQLite runs a batched write of one statement in one round trip. */
const STEP: BatchedWrite<undefined, undefined> = {
  async run(tx, steps) {
    tx.enqueue(MERGE);
    return steps.map(() => undefined);
  },
};

export class IndexMerging {
  private owedPages = 0;
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private isConfigured = false;
  private first: NodeJS.Timeout | undefined;

  constructor(
    private readonly engine: Pick<Engine, "reader" | "write" | "writeBatched" | "subscribe">,
    private readonly log: StoreLog,
  ) {}

  start(): void {
    this.engine.subscribe(["feed"], (event) => {
      if (event?.isNewWire) this.add(PAGES_PER_WIRE);
    });
    // The last daemon may have left segments. Merge them later, so that they do not delay the start.
    this.first = setTimeout(() => this.add(MAX_OWED_PAGES), FIRST_MS).unref();
  }

  addDocuments(count: number): void {
    this.add(PAGES_PER_WIRE * count);
  }

  /** Stops merging. Resolves after the running step. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.first);
    await this.running;
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Does nothing on PostgreSQL, because its index has no segments. */
  private add(pages: number): void {
    if (this.engine.reader.engine === "postgres") return;
    this.owedPages = Math.min(this.owedPages + pages, MAX_OWED_PAGES);
    if (this.owedPages < STEP_PAGES || this.running || this.isStopped) return;
    this.running = this.run()
      .catch((error: unknown) => this.waitAfter(error))
      .finally(() => {
        this.running = undefined;
        // Posts may have arrived in the meantime.
        this.add(0);
      });
  }

  private async waitAfter(err: unknown): Promise<void> {
    if (this.isStopped) return;
    this.log.warn({ err }, "the search index could not be merged; the next try is in a minute");
    await sleep(MINUTE, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private async run(): Promise<void> {
    if (!this.isConfigured) await this.configure();
    this.isConfigured = true;
    while (this.owedPages >= STEP_PAGES && !this.isStopped) {
      this.owedPages -= STEP_PAGES;
      const startedMs = monotonicMs();
      await this.engine.writeBatched(STEP, undefined);
      const pauseMs = Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * (monotonicMs() - startedMs));
      await sleep(pauseMs, undefined, { signal: this.stopping.signal });
    }
  }

  /**
   * Disables merges during an INSERT, unless a level of the index has 16 segments. The index stores this
   * setting.
   */
  private async configure(): Promise<void> {
    const { reader } = this.engine;
    const setting = await reader.get<{ v: number }>(`SELECT v FROM ${TABLE}_config WHERE k = 'automerge'`);
    if (setting?.v === 0) return;
    await this.engine.write((tx) => tx.run(`INSERT INTO ${TABLE} (${TABLE}, rank) VALUES ('automerge', 0)`));
  }
}
