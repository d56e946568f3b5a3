/**
 * Copies a service from one database to another, also between different engines. Rows keep their primary
 * keys, so that cursors, ids and API keys stay valid. Full-text indexes are rebuilt. docs/decisions/014
 * explains how the copy avoids losing data.
 */
import { type Engine, type Session, StoreRefused, StoreUnavailable } from "../engine/engine.js";
import { type Digest, digestOf } from "./digest.js";
import { indexRows } from "./full-text.js";
import { createPostponed } from "./postponed.js";
import { countRows, insertRows, readPages } from "./rows.js";
import { updateSequencesAndStatistics } from "./sequences.js";
import { withSourceLocked } from "./source.js";
import { readTables, type Table } from "./tables.js";
import { openTarget } from "./target.js";
import { UNFINISHED_COPY } from "./unfinished-copy.js";

export interface CopyProgress {
  step: "copying" | "indexing" | "checking";
  table: string;
  /** Number of rows copied or compared, or of indexes and keys created. */
  rows: number;
  of: number;
}

export interface CopyOptions {
  from: string;
  to: string;
  /** URL or path without credentials, for messages. */
  sourceName: string;
  onProgress(progress: CopyProgress): void;
}

export interface CopyReport {
  tables: readonly (Digest & { table: string })[];
}

/**
 * Copies all data of a service into an empty database, and then compares all rows. Throws `StoreRefused` if a
 * daemon is running on the source, if a database cannot be used or becomes unreachable, or if the two
 * databases differ at the end.
 */
export async function copyStore({ from, to, sourceName, onProgress }: CopyOptions): Promise<CopyReport> {
  const tables = await readTables();
  try {
    return await withSourceLocked(from, tables, async (source) => {
      const { engine, postponed } = await openTarget(to, tables, sourceName);
      try {
        const counts = new Map<string, number>();
        for (const table of tables) counts.set(table.name, await countRows(source, table));
        const report = (step: CopyProgress["step"], table: Table) => (rows: number) =>
          onProgress({ step, table: table.name, rows, of: counts.get(table.name)! });
        for (const table of tables) await copyTable(source, engine, table, report("copying", table));
        await createPostponed(to, postponed, (rows, of) =>
          onProgress({ step: "indexing", table: "wires", rows, of }),
        );
        await updateSequencesAndStatistics(engine, tables);
        const digests: CopyReport["tables"][number][] = [];
        for (const table of tables) {
          const digest = await compareTables(source, engine.reader, table, report("checking", table));
          digests.push({ table: table.name, ...digest });
        }
        await engine.write((tx) => tx.run("DELETE FROM meta WHERE name = ?", [UNFINISHED_COPY]));
        return { tables: digests };
      } finally {
        await engine.close();
      }
    });
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new StoreRefused(`the copy stopped: ${error.message}; run it again with another, empty database`, {
      cause: error,
    });
  }
}

/** Each page is one transaction. */
async function copyTable(
  source: Session,
  target: Engine,
  table: Table,
  onRows: (rows: number) => void,
): Promise<void> {
  let rows = 0;
  onRows(rows);
  for await (const page of readPages(source, table)) {
    await target.write(async (tx) => {
      // Do not wait for the disk. The copy's last transaction waits until all pages are on disk.
      if (tx.engine === "postgres") tx.enqueue("SET LOCAL synchronous_commit = off");
      await insertRows(tx, table, page);
      await indexRows(tx, table.name, page);
    });
    rows += page.length;
    onRows(rows);
  }
}

async function compareTables(
  source: Session,
  target: Session,
  table: Table,
  onRows: (rows: number) => void,
): Promise<Digest> {
  const [one, other] = await Promise.all([digestOf(source, table, onRows), digestOf(target, table)]);
  if (one.rows === other.rows && one.checksum === other.checksum) return one;
  throw new StoreRefused(
    `the table ${table.name} differs: ${one.rows} rows in the source, ${other.rows} in the target, checksums ${one.checksum.slice(0, 12)} ` +
      `and ${other.checksum.slice(0, 12)}. Another program has written to the target; ` +
      "copy into another, empty database",
  );
}
