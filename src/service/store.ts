/** The store as the daemon holds it: what the service uses, and what the identity provider keeps in it. */
import { identityStore } from "../store/identity.js";
import { openStore as open } from "../store/index.js";

export async function openStore(databaseUrl: string) {
  const store = await open(databaseUrl);
  return { store, identity: identityStore(store.engine), close: () => store.engine.close() };
}
