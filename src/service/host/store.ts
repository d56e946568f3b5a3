/** Opens and checks the store. The daemon accesses src/store only through this folder. */
import { isoTime, now } from "../../kernel/clock.js";
import { identityStore } from "../../store/accounts/identity.js";
import type { StoreLog } from "../../store/engine/engine.js";
import { openStore as open, openWithoutLock, type Store } from "../../store/index.js";
import { probeWrite, readMeta } from "../../store/meta.js";

/** Opens the store of the service and the store of the identity provider. They share one database. */
export async function openStore(databaseUrl: string, log: StoreLog, retainDays: number | null = null) {
  const store = await open(databaseUrl, log, retainDays);
  store.verification.start();
  store.deletion.start();
  store.merging.start();
  const close = async () => {
    store.verification.stop();
    await store.deletion.stop();
    await store.merging.stop();
    return store.engine.close();
  };
  return { store, identity: guardedIdentityStore(store), close };
}

/** Returns the store of the identity provider, which deletes nothing while the clock may be wrong. */
function guardedIdentityStore({ engine, clockGuard }: Store): ReturnType<typeof identityStore> {
  const identity = identityStore(engine);
  return {
    ...identity,
    async purge(at) {
      if (await clockGuard.isBelieved(at)) await identity.purge(at);
    },
  };
}

/**
 * Opens the database without the daemon's lock, for short transactions while a daemon may be running. The
 * caller must close it.
 */
export const openStoreWithoutLock = openWithoutLock;

/**
 * Throws if the store cannot be used. Reads a row, because `SELECT 1` would not access the database file. If
 * a write has failed, also writes a row, because writes may work again.
 */
export async function pingStore({ engine }: Store): Promise<void> {
  await readMeta(engine.reader, "cursor_secret");
  if (!engine.isWriteFailing) return;
  await engine.write((tx) => probeWrite(tx, isoTime(now())));
  engine.isWriteFailing = false;
}
