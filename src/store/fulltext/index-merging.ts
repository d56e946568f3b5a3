/**
 * Merges the segments of SQLite's full-text index of wires. Each batch of posts adds a segment, and a search
 * reads all of them. FTS5 would merge them within the INSERT of every 64th batch or so, which then takes 10
 * to 40 ms (docs/performance-internals.md).
 */
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE, monotonicMs, SECOND } from "../../kernel/clock.js";
import type { BatchedWrite, Engine, StoreLog } from "../engine/engine.js";

const TABLE = "wires_fts";
/** Pages that a step writes. It takes 1 to 3 ms. */
const STEP_PAGES = 64;
const MERGE = `INSERT INTO ${TABLE} (${TABLE}, rank) VALUES ('merge', ${STEP_PAGES})`;
/**
 * Pages to write for each new wire. A wire in a batch of its own adds a page, which is written again on each
 * level of the index.
 */
const PAGES_PER_WIRE = 8;
/** After a burst of posts, at most this many pages are still written. */
const MAX_OWED_PAGES = 64 * STEP_PAGES;
const FIRST_MS = SECOND;
const MIN_PAUSE_MS = 10;
/** Pause after a step, as a multiple of its time: merging takes at most a quarter of the writer's time. */
const PAUSE_FACTOR = 3;

/** Batched, because a batched write of one statement takes one round trip. */
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

  /** Merges from now on. Does nothing on PostgreSQL, whose index has no segments. */
  start(): void {
    if (this.engine.reader.engine === "postgres") return;
    this.engine.subscribe(["feed"], (event) => {
      if (event?.isNewWire) this.add(PAGES_PER_WIRE);
    });
    // The last daemon may have left segments. They wait for a second, so that the start does not wait for
    // them.
    this.first = setTimeout(() => this.add(MAX_OWED_PAGES), FIRST_MS).unref();
  }

  /** Merges what documents that are indexed again have added. */
  addDocuments(count: number): void {
    this.add(PAGES_PER_WIRE * count);
  }

  /** Resolves after the step that is running. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.first);
    await this.running;
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private add(pages: number): void {
    this.owedPages = Math.min(this.owedPages + pages, MAX_OWED_PAGES);
    if (this.owedPages < STEP_PAGES || this.running || this.isStopped) return;
    this.running = this.run()
      .catch((error: unknown) => this.waitAfter(error))
      .finally(() => {
        this.running = undefined;
        // Posts may have arrived meanwhile.
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
   * Ends the merges within an INSERT, except those of 16 segments of one level, which are rare then. The
   * index stores the setting.
   */
  private async configure(): Promise<void> {
    const { reader } = this.engine;
    const setting = await reader.get<{ v: number }>(`SELECT v FROM ${TABLE}_config WHERE k = 'automerge'`);
    if (setting?.v === 0) return;
    await this.engine.write((tx) => tx.run(`INSERT INTO ${TABLE} (${TABLE}, rank) VALUES ('automerge', 0)`));
  }
}
