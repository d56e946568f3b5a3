import type { Store } from "../store/index.js";

/** Resolves while the store answers. */
export async function pingStore(store: Store): Promise<void> {
  await store.engine.reader.get("SELECT 1 AS one");
}
