/** Marks the target of a copy until the copy is complete, so that no daemon serves a part of a service. */
import { type Session, StoreRefused } from "../engine/engine.js";
import { readMeta } from "../engine/meta.js";

/** In the table `meta`. The value is the URL or path of the source without credentials. */
export const UNFINISHED_COPY = "unfinished_copy";

export async function assertNoUnfinishedCopy(session: Session): Promise<void> {
  const source = await readMeta(session, UNFINISHED_COPY);
  if (source === undefined) return;
  throw new StoreRefused(
    `this database contains an unfinished copy of ${source}, which is running or was interrupted; after an interruption, ` +
      "run the same wireroom store copy --from … --to … with another, empty database",
  );
}
