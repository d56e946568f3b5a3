/**
 * Copies a service from one database to another, also between different engines. Rows keep their primary
 * keys, so that cursors, ids and API keys stay valid. Full-text indexes are rebuilt. docs/decisions/014
 * explains how the copy avoids losing data.
 */
import { type Session, StoreRefused, StoreUnavailable } from "../engine/engine.js";
import { type CopyState, replaceCopyState } from "./copy-state.js";
import { type Digest, digestOf } from "./digest.js";
import { indexRows } from "./full-text.js";
import { createPostponed } from "./postponed.js";
import { countRows, insertRows, lastKeyOf, readPages } from "./rows.js";
import { updateSequencesAndStatistics } from "./sequences.js";
import { serviceFingerprint, withSourceLocked } from "./source.js";
import { readTables, type Table } from "./tables.js";
import { type CopyTarget, openTarget } from "./target.js";

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
  isResumed: boolean;
  tables: readonly (Digest & { table: string })[];
}

/**
 * Copies all data of a service into an empty database, and then compares all rows. After an interruption, the
 * same call continues the copy. Throws `StoreRefused` if a daemon is running on the source, if a database
 * cannot be used or becomes unreachable, or if the two databases differ at the end.
 */
export async function copyStore({ from, to, sourceName, onProgress }: CopyOptions): Promise<CopyReport> {
  const tables = await readTables();
  try {
    return await withSourceLocked(from, tables, async (source) => {
      const names = { source: sourceName, service: await serviceFingerprint(source) };
      const target = await openTarget(to, tables, names);
      try {
        const counts = new Map<string, number>();
        for (const table of tables) counts.set(table.name, await countRows(source, table));
        const report = (step: CopyProgress["step"], table: Table) => (rows: number) =>
          onProgress({ step, table: table.name, rows, of: counts.get(table.name)! });
        for (const table of tables) await copyTable(source, target, table, report("copying", table));
        await createPostponed(to, target, (rows, of) =>
          onProgress({ step: "indexing", table: "wires", rows, of }),
        );
        await updateSequencesAndStatistics(target.engine, tables);
        const digests: CopyReport["tables"][number][] = [];
        for (const table of tables) {
          const digest = await compareTables(source, target.engine.reader, table, report("checking", table));
          digests.push({ table: table.name, ...digest });
        }
        await target.engine.write((tx) => replaceCopyState(tx, target.state, undefined));
        return { isResumed: target.isResumed, tables: digests };
      } finally {
        await target.engine.close();
      }
    });
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new StoreRefused(`the copy stopped: ${error.message}; run the same command again to continue it`, {
      cause: error,
    });
  }
}

/** Each page is one transaction, which also stores the progress. */
async function copyTable(
  source: Session,
  target: CopyTarget,
  table: Table,
  onRows: (rows: number) => void,
): Promise<void> {
  const progress = target.state.tables[table.name];
  let rows = progress?.rows ?? 0;
  onRows(rows);
  if (progress?.isDone) return;
  const storePage = async (
    tableState: CopyState["tables"][string],
    page: Parameters<typeof insertRows>[2],
  ) => {
    const next = { ...target.state, tables: { ...target.state.tables, [table.name]: tableState } };
    await target.engine.write(async (tx) => {
      // Do not wait for the disk, because a page that is lost in a crash is copied again. The copy's last
      // transaction waits until all pages are on disk.
      if (tx.engine === "postgres") tx.enqueue("SET LOCAL synchronous_commit = off");
      await replaceCopyState(tx, target.state, next);
      if (page.length === 0) return;
      await insertRows(tx, table, page);
      await indexRows(tx, table.name, page);
    });
    target.state = next;
  };
  for await (const page of readPages(source, table, progress?.place)) {
    rows += page.length;
    await storePage({ rows, place: lastKeyOf(table, page), isDone: false }, page);
    onRows(rows);
  }
  await storePage({ rows, isDone: true }, []);
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
      `and ${other.checksum.slice(0, 12)}. Either the source has changed since the copy began, or another program has written ` +
      "to the target; copy into another empty database, and start no daemon on the source until the copy is done",
  );
}
