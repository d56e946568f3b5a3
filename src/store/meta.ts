/** Secrets and facts of one database, kept for its life and carried along when it is copied. */
import type { Session, Transaction } from "./engine/engine.js";

export async function readMeta(session: Session, name: string): Promise<string | undefined> {
  const row = await session.get<{ value: string }>("SELECT value FROM meta WHERE name = ?", [name]);
  return row?.value;
}

/** Stores a value unless there is one, and gives the one that stands. */
export async function keepMeta(tx: Transaction, name: string, value: string): Promise<string> {
  await tx.run("INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", [name, value]);
  return (await readMeta(tx, name))!;
}
