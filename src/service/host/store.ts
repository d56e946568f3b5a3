/** The store as the daemon holds it. */
import { identityStore } from "../../store/accounts/identity.js";
import { openStore as open, openBeside, type Store } from "../../store/index.js";
import { readMeta } from "../../store/meta.js";

/** Opens the store of the service, and that of the identity provider in the same database. */
export async function openStore(databaseUrl: string) {
  const store = await open(databaseUrl);
  return { store, identity: identityStore(store.engine), close: () => store.engine.close() };
}

/** Opens the database beside a daemon that may be running on it, for a few short transactions. The caller closes it. */
export const openStoreBeside = openBeside;

/** Resolves while the store answers: it reads a row, as a bare `SELECT 1` would not look at the database at all. */
export async function pingStore(store: Store): Promise<void> {
  await readMeta(store.engine.reader, "cursor_secret");
}
