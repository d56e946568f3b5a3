/**
 * Reads and writes the state of an unfinished copy, which is stored in the target's table `meta`. The
 * transaction that copies rows also updates the state. The state is deleted after the final comparison. A
 * daemon does not start on a database that contains this state.
 */
import { type Session, StoreRefused, type Transaction } from "../engine/engine.js";
import { readMeta } from "../engine/meta.js";
import type { KeyValues } from "./rows.js";

export const COPY_STATE_KEY = "unfinished_copy";

export interface CopyState {
  /** URL or path without credentials, for messages. */
  source: string;
  /** The result of `serviceFingerprint`. */
  service: string;
  /** `place` is the last copied primary key. Do not rename fields, because stored states contain them. */
  tables: Record<string, { rows: number; place?: KeyValues | undefined; isDone: boolean }>;
  /** The copy drops some indexes and foreign keys. These statements create them again. */
  postponed?: readonly string[];
}

export async function readCopyState(session: Session): Promise<CopyState | undefined> {
  const text = await readMeta(session, COPY_STATE_KEY);
  return text === undefined ? undefined : (JSON.parse(text) as CopyState);
}

export async function assertNoUnfinishedCopy(session: Session): Promise<void> {
  const state = await readCopyState(session);
  if (!state) return;
  throw new StoreRefused(
    `this database contains an unfinished copy of ${state.source}, which is running or was interrupted; run the same ` +
      "wireroom store copy --from … --to … again to continue it, or use another database",
  );
}

export async function insertCopyState(tx: Transaction, state: CopyState): Promise<void> {
  await tx.run("INSERT INTO meta (name, value) VALUES (?, ?)", [COPY_STATE_KEY, JSON.stringify(state)]);
}

/**
 * Throws `StoreRefused` if another copy has changed the stored state.
 * @param to undefined deletes the state
 */
export async function replaceCopyState(
  tx: Transaction,
  from: CopyState,
  to: CopyState | undefined,
): Promise<void> {
  const before = JSON.stringify(from);
  const { changes } = to
    ? await tx.run("UPDATE meta SET value = ? WHERE name = ? AND value = ?", [
        JSON.stringify(to),
        COPY_STATE_KEY,
        before,
      ])
    : await tx.run("DELETE FROM meta WHERE name = ? AND value = ?", [COPY_STATE_KEY, before]);
  if (changes === 1) return;
  throw new StoreRefused("another copy to the same target is running; wait until it has finished");
}
