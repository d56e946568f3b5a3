/**
 * Updates the full-text index after an upgrade that changed how search terms are computed
 * (docs/decisions/006). Works in small steps while the daemon serves requests, from the newest document to
 * the oldest. Until a document is reindexed, a search finds it only by terms that both versions compute
 * alike.
 *
 * - On SQLite, `meta` stores the next document. Each step updates this value in its own transaction, so a
 *   restarted daemon continues where the killed one stopped.
 * - On PostgreSQL, each row stores the version of its terms. A daemon of the earlier version may still add
 *   rows, so each daemon looks for outdated rows every minute. A step locks its rows. A daemon that finds all
 *   rows of its step locked or updated leaves the rest to the other daemon, until the next minute.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE, SECOND } from "../kernel/clock.js";
import type { Engine, StoreLog, Transaction } from "./engine/engine.js";
import { readMeta, writeMeta } from "./engine/meta.js";
import { nameOfNextStale } from "./engine/migrations/full-text-tables.js";
import { NUMBERED_INTEGERS, numberedIntegers, type Sql } from "./engine/sql.js";
import { enqueueReplacement, type Table, TOKENS_VERSION } from "./fulltext/index.js";
import type { IndexMerging } from "./fulltext/index-merging.js";
import { Pace } from "./retention/pace.js";
import { entityTerms } from "./switchboard.js";
import { wireDocuments } from "./wires/search-documents.js";

const FIRST_MS = SECOND;

const SELECT_STALE = (table: Table): Sql => ({
  sqlite: `SELECT rowid AS pk FROM ${table} WHERE rowid <= ? ORDER BY rowid DESC LIMIT ?`,
  postgres: `SELECT rowid AS pk FROM ${table} WHERE tokens < ${TOKENS_VERSION} AND rowid <= ? ORDER BY rowid DESC LIMIT ?`,
});
/**
 * Skips rows that another daemon has locked, because that daemon writes the new terms. A daemon that changes
 * a row later waits for this lock, and then replaces the terms.
 */
const LOCK_STALE = (table: Table) =>
  `SELECT rowid AS pk FROM ${table} WHERE tokens < ${TOKENS_VERSION}
     AND rowid IN (SELECT value FROM ${NUMBERED_INTEGERS.table("q").postgres}) FOR UPDATE SKIP LOCKED`;

export class Reindexing {
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

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    for (let waitMs = FIRST_MS; await wait(waitMs, signal); waitMs = MINUTE) {
      try {
        await this.reindex("wires_fts");
        await this.reindex("entities_fts");
        if (this.engine.reader.engine === "sqlite") return;
      } catch (err) {
        if (signal.aborted) return;
        this.log.warn({ err }, "the search index could not be updated; the next try is in a minute");
      }
    }
  }

  private async reindex(table: Table): Promise<void> {
    let next = await this.firstStale(table);
    while (next !== undefined) next = await this.step(table, next);
  }

  private async firstStale(table: Table): Promise<number | undefined> {
    if (this.engine.reader.engine === "postgres") return Number.MAX_SAFE_INTEGER;
    const next = await readMeta(this.engine.reader, nameOfNextStale(table));
    return next === undefined ? undefined : Number(next);
  }

  /**
   * Reindexes the next documents downwards from primary key `from`. Returns the key from which to continue.
   */
  private async step(table: Table, from: number): Promise<number | undefined> {
    const { reader } = this.engine;
    const limit = this.pace.size;
    const rows = await reader.all<{ pk: number }>(SELECT_STALE(table), [from, limit]);
    const pks = rows.map(({ pk }) => pk);
    const next = pks.length === limit ? pks.at(-1)! - 1 : undefined;
    const wires = table === "wires_fts" ? await wireDocuments(reader, pks, this.log) : null;
    const reindexed = await this.pace.step(async (tx) => {
      const own = tx.engine === "sqlite" ? pks : await lockStale(tx, table, pks);
      const documents = wires ? wires.filter(([pk]) => own.includes(pk)) : await entityTerms(tx, own);
      enqueueReplacement(tx, table, documents);
      if (tx.engine === "sqlite") await storeNextStale(tx, table, next);
      return own.length;
    });
    this.merging.addDocuments(reindexed);
    return reindexed === 0 ? undefined : next;
  }
}

async function lockStale(tx: Transaction, table: Table, pks: readonly number[]): Promise<number[]> {
  const rows = await tx.all<{ pk: number }>(LOCK_STALE(table), [numberedIntegers(pks)]);
  return rows.map(({ pk }) => pk);
}

async function storeNextStale(tx: Transaction, table: Table, next: number | undefined): Promise<void> {
  const name = nameOfNextStale(table);
  if (next === undefined) await tx.run("DELETE FROM meta WHERE name = ?", [name]);
  else await writeMeta(tx, name, String(next));
}

/** Resolves to false if the signal aborts. */
function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal, ref: false }).catch(() => false);
}
