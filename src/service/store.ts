/** The store as the daemon holds it: what the service uses, and what the identity provider keeps in it. */
import { identityStore } from "../store/identity.js";
import { openStore as open, openBeside } from "../store/index.js";

export async function openStore(databaseUrl: string) {
  const store = await open(databaseUrl);
  return { store, identity: identityStore(store.engine), close: () => store.engine.close() };
}

/** The database of a daemon that may be running: for what is done beside it on its own machine. To be closed. */
export const openStoreBeside = openBeside;
