/**
 * A whole service, moved from one database to another, of whichever engine. Rows go over as they are, with their numbers,
 * so cursors, ids and keys stay valid; indexes are made anew. docs/decisions/014 says what keeps it safe.
 */
import { type Session, StoreRefused, StoreUnavailable } from "../engine/engine.js";
import { type Digest, digestOf, documentsIn } from "./digest.js";
import { countRows, insertRows, pagesOf, placeOf } from "./rows.js";
import { makeSearchable } from "./searchable.js";
import { settle } from "./settle.js";
import { holdingSource, serviceOf } from "./source.js";
import { INDEXES, readTables, type Table } from "./tables.js";
import { openTarget, type Target } from "./target.js";
import { changeNote, type Unfinished } from "./unfinished.js";

export interface CopyProgress {
  step: "copying" | "checking";
  table: string;
  /** Rows of the table that are done, by this run and those before it, and how many there are. */
  rows: number;
  of: number;
}

export interface CopyOptions {
  /** URLs of databases. */
  from: string;
  to: string;
  /** The source as it may be shown and noted: without credentials. */
  sourceName: string;
  onProgress(progress: CopyProgress): void;
}

export interface Copied {
  /** Whether it went on with what an earlier run had copied. */
  isResumed: boolean;
  tables: readonly (Digest & { table: string })[];
}

/**
 * Copies a service into an empty database, and compares all of both. What is stored at an interruption stays: the same
 * call goes on from there. Throws `StoreRefused` where a daemon runs on the source, where either database cannot be used
 * as it is, where the two differ at the end, or where one of them goes away; the message says what to do.
 */
export async function copyStore({ from, to, sourceName, onProgress }: CopyOptions): Promise<Copied> {
  const tables = await readTables();
  try {
    return await holdingSource(from, tables, async (source) => {
      const names = { source: sourceName, service: await serviceOf(source) };
      const target = await openTarget(to, tables, names);
      try {
        const counts = new Map<string, number>();
        for (const table of tables) counts.set(table.name, await countRows(source, table));
        const report = (step: CopyProgress["step"], table: Table) => (rows: number) =>
          onProgress({ step, table: table.name, rows, of: counts.get(table.name)! });
        for (const table of tables) await copyTable(source, target, table, report("copying", table));
        await settle(target.engine, tables);
        const digests: Copied["tables"][number][] = [];
        for (const table of tables) {
          const digest = await compare(source, target.engine.reader, table, report("checking", table));
          digests.push({ table: table.name, ...digest });
        }
        await compareIndexes(source, target.engine.reader);
        await target.engine.write((tx) => changeNote(tx, target.unfinished, undefined));
        return { isResumed: target.isResumed, tables: digests };
      } finally {
        await target.engine.close();
      }
    });
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new StoreRefused(
      `the copy stopped: ${error.message}; give the same command again, and it goes on`,
      {
        cause: error,
      },
    );
  }
}

/** Each page is one transaction with the note of where the table stands then. */
async function copyTable(
  source: Session,
  target: Target,
  table: Table,
  onRows: (rows: number) => void,
): Promise<void> {
  const begun = target.unfinished.tables[table.name];
  let rows = begun?.rows ?? 0;
  onRows(rows);
  if (begun?.isDone) return;
  const advance = async (place: Unfinished["tables"][string], page: Parameters<typeof insertRows>[2]) => {
    const next = { ...target.unfinished, tables: { ...target.unfinished.tables, [table.name]: place } };
    await target.engine.write(async (tx) => {
      await changeNote(tx, target.unfinished, next);
      if (page.length === 0) return;
      await insertRows(tx, table, page);
      await makeSearchable(tx, table.name, page);
    });
    target.unfinished = next;
  };
  for await (const page of pagesOf(source, table, begun?.place)) {
    rows += page.length;
    await advance({ rows, place: placeOf(table, page), isDone: false }, page);
    onRows(rows);
  }
  await advance({ rows, isDone: true }, []);
}

/** Throws `StoreRefused` unless both tables hold the same rows. */
async function compare(
  source: Session,
  target: Session,
  table: Table,
  onRows: (rows: number) => void,
): Promise<Digest> {
  const [one, other] = await Promise.all([digestOf(source, table, onRows), digestOf(target, table)]);
  if (one.rows === other.rows && one.checksum === other.checksum) return one;
  throw new StoreRefused(
    `${table.name} differ: ${one.rows} rows in the source, ${other.rows} in the target, checksums ${one.checksum.slice(0, 12)} ` +
      `and ${other.checksum.slice(0, 12)}. The source has changed since the copy began, or something else has written to ` +
      "the target; copy into another empty database, and start no daemon on the source before it is done",
  );
}

async function compareIndexes(source: Session, target: Session): Promise<void> {
  for (const index of INDEXES) {
    const [one, other] = await Promise.all([documentsIn(source, index), documentsIn(target, index)]);
    if (one === other) continue;
    throw new StoreRefused(
      `${index} differ: ${one} texts can be found in the source, ${other} in the target`,
    );
  }
}
