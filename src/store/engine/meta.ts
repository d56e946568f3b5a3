/**
 * Reads and writes the table `meta`, which contains named values. Some of them record how far wires and
 * approvals have been deleted.
 */
import type { Session, Transaction } from "./engine.js";

export async function readMeta(session: Session, name: string): Promise<string | undefined> {
  const row = await session.get<{ value: string }>("SELECT value FROM meta WHERE name = ?", [name]);
  return row?.value;
}

export async function schemaVersion(session: Session): Promise<number> {
  return (await session.get<{ id: number }>("SELECT max(id) AS id FROM migrations"))!.id;
}

/** Keeps an existing value. Returns the stored value. */
export async function insertMetaIfAbsent(tx: Transaction, name: string, value: string): Promise<string> {
  await tx.run("INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", [name, value]);
  return (await readMeta(tx, name))!;
}

export async function writeMeta(tx: Session, name: string, value: string): Promise<void> {
  await tx.run(
    "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [name, value],
  );
}

/**
 * Writes a row to find out whether the database accepts writes. `value` must change, because SQLite skips the
 * write of an unchanged row.
 */
export async function probeWrite(tx: Transaction, value: string): Promise<void> {
  await writeMeta(tx, "write_probe", value);
}

/** Names of the values in `meta` that record how far rows have been deleted. The values never decrease. */
const MARKS = {
  /** The highest primary key of a deleted wire. */
  wires: "deleted_wires",
  /** The highest primary key of a wire that `--retain` deleted. No wire up to this key is left. */
  messages: "deleted_messages",
  /** The newest `created_at` of a deleted wire. */
  until: "deleted_until",
  /** The highest primary key of an approval that was deleted with its account. */
  approvals: "deleted_approvals",
} as const;
type Mark = keyof typeof MARKS;

export const DELETED_MESSAGES = MARKS.messages;

const markValue = (mark: Mark) =>
  `coalesce((SELECT CAST(value AS bigint) FROM meta WHERE name = '${MARKS[mark]}'), 0)`;
export const LAST_DELETED_WIRE = markValue("wires");
export const LAST_DELETED_MESSAGE = markValue("messages");
export const DELETED_UNTIL = markValue("until");
export const LAST_DELETED_APPROVAL = markValue("approvals");

/** Never lowers the stored value. */
export function storeMark(mark: Mark, value: string): string {
  return `INSERT INTO meta (name, value) VALUES ('${MARKS[mark]}', CAST(${value} AS text))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE CAST(meta.value AS bigint) < CAST(excluded.value AS bigint)`;
}
