/** Opens the store: the database, its caches, and the notifier that wakes long polls. */
import type { Epoch } from "../kernel/cursor.js";
import { newSecret } from "../kernel/ids.js";
import { assertNoUnfinishedCopy } from "./copy/copy-state.js";
import { parseSqliteUrl } from "./engine/database-url.js";
import { type Engine, NO_LOG, StoreDamaged, type StoreLog, type Transaction } from "./engine/engine.js";
import { openEpochs } from "./engine/epochs.js";
import { insertMetaIfAbsent, readMeta } from "./engine/meta.js";
import { Notifier } from "./engine/notifier.js";
import { isPostgresUrl } from "./engine/postgres/url.js";
import { refusalOfDamage } from "./engine/sqlite/errors.js";
import { SqliteEngine } from "./engine/sqlite/index.js";
import { createStatistics, type StoreStatistics } from "./engine/statistics.js";
import { IndexMerging } from "./fulltext/index-merging.js";
import { InboxEndCache } from "./inbox/end-cache.js";
import { FutureRows } from "./limits/future-rows.js";
import { MessageIndexing } from "./message-indexing.js";
import { Reindexing } from "./reindexing.js";
import { ClockGuard } from "./retention/clock-guard.js";
import { RetentionFloors } from "./retention/floors.js";
import { WireDeletion } from "./retention/wire-deletion.js";
import { ExpiredClaims } from "./wires/expired-claims.js";
import { FirstPageCache } from "./wires/first-page-cache.js";
import { UnclaimedWires } from "./wires/unclaimed.js";
import { WireVerification } from "./wires/verification.js";

export interface Store {
  engine: Engine;
  notifier: Notifier;
  inboxEnds: InboxEndCache;
  firstPages: FirstPageCache;
  verification: WireVerification;
  unclaimed: UnclaimedWires;
  expiredClaims: ExpiredClaims;
  /** Tells which wires retention hides. */
  floors: RetentionFloors;
  /** Postpones deletions and corrections of times while the system clock may be wrong. */
  clockGuard: ClockGuard;
  futureRows: FutureRows;
  deletion: WireDeletion;
  merging: IndexMerging;
  reindexing: Reindexing;
  messageIndexing: MessageIndexing;
  log: StoreLog;
  statistics: StoreStatistics;
  /** Signs cursors. It is stored in the database, so cursors stay valid after a restart. */
  cursorSecret: string;
  /** An epoch is a period without lost commits. Cursors name the epoch in which they were created. */
  epochs: readonly Epoch[];
}

/**
 * Throws `StoreRefused` if the database cannot be used.
 * @param databaseUrl `sqlite:/path/to/file` or `postgres://…`
 * @param retainDays days after which wires are hidden and deleted; null keeps them forever
 */
export async function openStore(
  databaseUrl: string,
  log: StoreLog = NO_LOG,
  retainDays: number | null = null,
): Promise<Store> {
  const statistics = createStatistics();
  const engine: Engine = isPostgresUrl(databaseUrl)
    ? await (await import("./engine/postgres/index.js")).PostgresEngine.open(databaseUrl, log, statistics)
    : await SqliteEngine.open(parseSqliteUrl(databaseUrl), log, statistics);
  const clockGuard = new ClockGuard(engine);
  const futureRows = new FutureRows(engine, clockGuard, log);
  const { cursorSecret, epochs } = await closeOnFailure(engine, databaseUrl, async () => {
    await assertNoUnfinishedCopy(engine.reader);
    const cursorSecret =
      (await readMeta(engine.reader, "cursor_secret")) ?? (await engine.write(createCursorSecret));
    const epochs = await openEpochs(engine);
    await futureRows.correct();
    await engine.recordProgress();
    return { cursorSecret, epochs };
  });
  const notifier = new Notifier();
  const inboxEnds = new InboxEndCache(engine, notifier);
  const firstPages = new FirstPageCache(engine);
  const floors = new RetentionFloors(engine, retainDays);
  const deletion = new WireDeletion(engine, floors, clockGuard, statistics, log);
  const merging = new IndexMerging(engine, log);
  const reindexing = new Reindexing(engine, merging, log);
  const messageIndexing = new MessageIndexing(engine, merging, log);
  const verification = new WireVerification(engine, log);
  const unclaimed = new UnclaimedWires(engine);
  const expiredClaims = new ExpiredClaims(engine, unclaimed, notifier);
  // The notifier comes last, because caches must process an event before it wakes a long poll that reads
  // them.
  notifier.listenTo(engine);
  return {
    engine,
    notifier,
    inboxEnds,
    firstPages,
    verification,
    unclaimed,
    expiredClaims,
    floors,
    clockGuard,
    futureRows,
    deletion,
    merging,
    reindexing,
    messageIndexing,
    log,
    statistics,
    cursorSecret,
    epochs,
  };
}

/**
 * Creates the secret before it checks for a copy. If a daemon and a copy start at the same time, at least one
 * of them then detects the other and stops.
 */
async function createCursorSecret(tx: Transaction): Promise<string> {
  const secret = await insertMetaIfAbsent(tx, "cursor_secret", newSecret());
  await assertNoUnfinishedCopy(tx);
  return secret;
}

async function closeOnFailure<Result>(
  engine: Engine,
  databaseUrl: string,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    await engine.close();
    throw error instanceof StoreDamaged ? refusalOfDamage(parseSqliteUrl(databaseUrl), error) : error;
  }
}

/**
 * Opens a database for a few short transactions while a daemon may be using it. Never creates or migrates the
 * database.
 */
export async function openWithoutLock(databaseUrl: string): Promise<Engine> {
  const engine: Engine = isPostgresUrl(databaseUrl)
    ? await (await import("./engine/postgres/index.js")).PostgresEngine.openMigrated(databaseUrl)
    : await SqliteEngine.openWithoutLock(parseSqliteUrl(databaseUrl));
  await closeOnFailure(engine, databaseUrl, () => assertNoUnfinishedCopy(engine.reader));
  return engine;
}
