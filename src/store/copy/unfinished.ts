/**
 * The note in a database that a copy into it is under way, or was interrupted: a value in `meta`, changed in the same
 * transaction as the rows that it tells of, and gone once the copy is whole and checked. No daemon serves a database
 * with it.
 */
import { type Session, StoreRefused, type Transaction } from "../engine/engine.js";
import { readMeta } from "../meta.js";
import type { Place } from "./rows.js";

/** Its name in `meta`. */
export const UNFINISHED = "unfinished_copy";

export interface Unfinished {
  /** The source as it was named, without credentials. */
  source: string;
  /** The service that is copied, whatever its database is called; see `serviceOf`. */
  service: string;
  /** How far each table is that was begun. */
  tables: Record<string, { rows: number; place?: Place | undefined; isDone: boolean }>;
}

export async function readUnfinished(session: Session): Promise<Unfinished | undefined> {
  const text = await readMeta(session, UNFINISHED);
  return text === undefined ? undefined : (JSON.parse(text) as Unfinished);
}

/** Throws `StoreRefused` where the database holds a part of a service. */
export async function assertWhole(session: Session): Promise<void> {
  const unfinished = await readUnfinished(session);
  if (!unfinished) return;
  throw new StoreRefused(
    `this database holds a part of a copy of ${unfinished.source} that is under way or was interrupted; give the same ` +
      "wireroom store copy --from … --to … again, which goes on with it, or use another database",
  );
}

export async function note(tx: Transaction, unfinished: Unfinished): Promise<void> {
  await tx.run("INSERT INTO meta (name, value) VALUES (?, ?)", [UNFINISHED, JSON.stringify(unfinished)]);
}

/** Throws `StoreRefused` where the note is not as it was left: another copy works on the same target. */
export async function changeNote(
  tx: Transaction,
  from: Unfinished,
  to: Unfinished | undefined,
): Promise<void> {
  const before = JSON.stringify(from);
  const { changes } = to
    ? await tx.run("UPDATE meta SET value = ? WHERE name = ? AND value = ?", [
        JSON.stringify(to),
        UNFINISHED,
        before,
      ])
    : await tx.run("DELETE FROM meta WHERE name = ? AND value = ?", [UNFINISHED, before]);
  if (changes === 1) return;
  throw new StoreRefused("another copy is working on the target; let it finish");
}
