import type { Store } from "../store/index.js";
import { readMeta } from "../store/meta.js";

/** Resolves while the store answers: it reads a row, as a bare `SELECT 1` would not look at the database at all. */
export async function pingStore(store: Store): Promise<void> {
  await readMeta(store.engine.reader, "cursor_secret");
}
