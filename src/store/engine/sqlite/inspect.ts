/** A look into a database file that leaves it as it is, also while a daemon works on it. */
import { stat } from "node:fs/promises";
import { StoreRefused, StoreUnavailable } from "../engine.js";
import { migrations } from "../migrations/index.js";
import { Connection } from "./connection.js";

export interface DatabaseFacts {
  /** Number of the last migration that was applied. */
  schemaVersion: number;
  /** Number of the last migration that this program knows. */
  knownVersion: number;
  /** Whether a newer version of Wireroom wrote the file. */
  isNewer: boolean;
  /** Whether the embedded identity provider has its signing keys in it. */
  hasSigningKeys: boolean;
  /** When the newest wire was stored, in milliseconds since 1970; null where there is none. */
  newestWireAt: number | null;
  /** Bytes of the file, and of what is not yet copied into it. */
  bytes: number;
  walBytes: number;
}

/** Throws `StoreRefused` where the file is missing, cannot be read, or is no database of Wireroom's. */
export async function inspect(file: string): Promise<DatabaseFacts> {
  const bytes = await sizeOf(file);
  if (bytes === undefined) throw new StoreRefused(`there is no database ${file}`);
  return reading(file, async (connection) => {
    const tables = await connection.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table'",
    );
    const names = new Set(tables.map(({ name }) => name));
    if (!names.has("migrations") || !names.has("meta"))
      throw new StoreRefused(`${file} is a database, but none of Wireroom's`);
    const rows = await connection.all<{ id: number }>("SELECT id FROM migrations ORDER BY id");
    const known = new Set(migrations.map(({ id }) => id));
    const keys = names.has("identity_secrets")
      ? await connection.get("SELECT 1 FROM identity_secrets WHERE name = 'signing-keys'")
      : undefined;
    const wire = names.has("wires")
      ? await connection.get<{ at: number }>("SELECT created_at AS at FROM wires ORDER BY pk DESC LIMIT 1")
      : undefined;
    return {
      schemaVersion: rows.at(-1)?.id ?? 0,
      knownVersion: migrations.at(-1)?.id ?? 0,
      isNewer: rows.some(({ id }) => !known.has(id)),
      hasSigningKeys: keys !== undefined,
      newestWireAt: wire?.at ?? null,
      bytes,
      walBytes: (await sizeOf(`${file}-wal`)) ?? 0,
    };
  });
}

/** Problems that are named; more say nothing more. */
const MOST_PROBLEMS = 10;

/** What is wrong with the file: broken pages, indexes that disagree with their tables. Empty where it is sound. */
export async function integrityProblems(file: string): Promise<string[]> {
  try {
    return await reading(file, async (connection) => {
      const rows = await connection.all<{ integrity_check: string }>(
        `PRAGMA integrity_check(${MOST_PROBLEMS})`,
      );
      return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
    });
  } catch (error) {
    if (error instanceof StoreRefused) return [error.message];
    throw error;
  }
}

/** Runs `work` on a connection that changes nothing. Throws `StoreRefused` where the file cannot be read. */
export async function reading<Result>(
  file: string,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.openReadOnly(file);
    await connection.exec("PRAGMA busy_timeout = 5000");
    return await work(connection);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new StoreRefused(`the database ${file} cannot be read: ${error.message}`, { cause: error });
  } finally {
    await connection?.close();
  }
}

/** Bytes of a file; undefined where there is none. */
export async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
