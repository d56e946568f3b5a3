/** Opens the daemon's store, starts its background work, and checks whether it works. */
import { isoTime, now } from "../src/kernel/clock.js";
import { identityStore } from "../src/store/accounts/identity.js";
import type { StoreLog } from "../src/store/engine/engine.js";
import { probeWrite, readMeta } from "../src/store/engine/meta.js";
import { openStore, type Store } from "../src/store/index.js";

/** Both stores share one database. */
export async function openDaemonStore(databaseUrl: string, log: StoreLog, retainDays: number | null = null) {
  const store = await openStore(databaseUrl, log, retainDays);
  const identity = identityStore(store.engine);
  /** Deletes nothing while the clock is untrusted, because data could be deleted too early. */
  const purge = async (at: number) => {
    if (await store.clockGuard.isTrusted(at)) await identity.purge(at);
  };
  store.verification.start();
  store.deletion.start();
  store.merging.start();
  store.reindexing.start();
  const close = async () => {
    store.verification.stop();
    await store.deletion.stop();
    await store.reindexing.stop();
    await store.messageIndexing.stop();
    await store.merging.stop();
    return store.engine.close();
  };
  return { store, identity: { ...identity, purge }, close };
}

/**
 * Throws if the store does not work. Reads a row, because `SELECT 1` would not access the database file.
 * After a failed write, also writes a row.
 */
export async function pingStore({ engine }: Store): Promise<void> {
  await readMeta(engine.reader, "cursor_secret");
  if (!engine.isWriteFailing) return;
  await engine.write((tx) => probeWrite(tx, isoTime(now())));
  engine.isWriteFailing = false;
}
