/** Stores named values, such as the secret that signs cursors. A copy of the database includes them. */
import type { Session, Transaction } from "./engine/engine.js";

export async function readMeta(session: Session, name: string): Promise<string | undefined> {
  const row = await session.get<{ value: string }>("SELECT value FROM meta WHERE name = ?", [name]);
  return row?.value;
}

/** Stores a value unless the name already has one. Returns the stored value. */
export async function insertMetaIfAbsent(tx: Transaction, name: string, value: string): Promise<string> {
  await tx.run("INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", [name, value]);
  return (await readMeta(tx, name))!;
}

/** Stores a value, and replaces an earlier value of the same name. */
export async function writeMeta(tx: Transaction, name: string, value: string): Promise<void> {
  await tx.run(
    "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [name, value],
  );
}

/**
 * Writes a row to find out whether the database accepts writes. `value` must differ from the last call's
 * value, because SQLite skips the write of an unchanged row.
 */
export async function probeWrite(tx: Transaction, value: string): Promise<void> {
  await writeMeta(tx, "write_probe", value);
}
