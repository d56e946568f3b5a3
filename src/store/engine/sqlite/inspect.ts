/** Inspects a database file without changing it, even while a daemon uses it. */
import { StoreDamaged, StoreRefused, StoreUnavailable } from "../engine.js";
import { migrations } from "../migrations/index.js";
import { Connection } from "./connection.js";
import { assertUsable, fileSizeBytes } from "./files.js";
import { recordLostLog } from "./lost-log.js";
import { markerProblem, readMarker } from "./marker.js";

export interface DatabaseInfo {
  schemaVersion: number;
  knownVersion: number;
  isNewer: boolean;
  hasIdentitySecrets: boolean;
  /** In milliseconds since 1970; null if there are no wires. */
  newestWireAt: number | null;
  sizeBytes: number;
  walSizeBytes: number;
}

/** Throws `StoreRefused` if the file does not exist, cannot be read, or is not a Wireroom database. */
export async function inspectDatabase(file: string): Promise<DatabaseInfo> {
  await assertUsable(file, "read");
  return withReadOnlyConnection(file, async (connection) => {
    const tables = await connection.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table'",
    );
    const names = new Set(tables.map(({ name }) => name));
    if (!names.has("migrations") || !names.has("meta"))
      throw new StoreRefused(`${file} is not a Wireroom database`);
    const rows = await connection.all<{ id: number }>("SELECT id FROM migrations ORDER BY id");
    const known = new Set(migrations.map(({ id }) => id));
    // This secret exists from the first start; signing keys exist only after the first sign-in.
    const codeKey = names.has("identity_secrets")
      ? await connection.get("SELECT 1 FROM identity_secrets WHERE name = 'code-key'")
      : undefined;
    const wire = names.has("wires")
      ? await connection.get<{ at: number }>("SELECT created_at AS at FROM wires ORDER BY pk DESC LIMIT 1")
      : undefined;
    return {
      schemaVersion: rows.at(-1)?.id ?? 0,
      knownVersion: migrations.at(-1)?.id ?? 0,
      isNewer: rows.some(({ id }) => !known.has(id)),
      hasIdentitySecrets: codeKey !== undefined,
      newestWireAt: wire?.at ?? null,
      sizeBytes: (await fileSizeBytes(file)) ?? 0,
      walSizeBytes: (await fileSizeBytes(`${file}-wal`)) ?? 0,
    };
  });
}

/** Describes the lost commits. Returns undefined if no loss is known. */
export function findLostCommits(file: string): Promise<string | undefined> {
  return withReadOnlyConnection(file, async (connection) => {
    // Read the marker before the data, because a running daemon may replace the marker meanwhile, and a newer
    // marker would not describe the data that is read here.
    const marker = await readMarker(file);
    return marker && markerProblem(connection, marker);
  });
}

const MAX_PROBLEMS = 10;

/** Returns an empty list for an intact file. */
export async function integrityProblems(file: string, signal?: AbortSignal): Promise<string[]> {
  const check = async (connection: Connection) => {
    const rows = await connection.all<{ integrity_check: string }>(`PRAGMA integrity_check(${MAX_PROBLEMS})`);
    return rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
  };
  try {
    return await withReadOnlyConnection(file, check, signal);
  } catch (error) {
    if (error instanceof StoreRefused) return [error.message];
    throw error;
  }
}

/** @param signal aborting it interrupts the running statement */
export async function withReadOnlyConnection<Result>(
  file: string,
  work: (connection: Connection) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  let connection: Connection | undefined;
  const interrupt = () => connection?.interrupt();
  try {
    // Ignore errors, because this process may lack the permission to write the marker.
    await recordLostLog(file, false).catch(() => undefined);
    connection = await Connection.openReadOnly(file);
    signal?.throwIfAborted();
    signal?.addEventListener("abort", interrupt);
    await connection.exec("PRAGMA busy_timeout = 5000");
    return await work(connection);
  } catch (error) {
    if (!(error instanceof StoreUnavailable || error instanceof StoreDamaged)) throw error;
    throw new StoreRefused(`the database ${file} cannot be read: ${error.message}`, { cause: error });
  } finally {
    signal?.removeEventListener("abort", interrupt);
    await connection?.close();
  }
}
