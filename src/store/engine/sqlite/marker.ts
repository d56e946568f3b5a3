/**
 * The marker is a small file beside the database that contains the database's id and its highest primary
 * keys. With it, a starting daemon detects a deleted or emptied database, and lost commits. It is written
 * every second and at a clean stop, but not at each commit, because that would cost an extra sync.
 * `lost-log.ts` detects what was lost since the marker was last written.
 */
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { sha256 } from "../../../kernel/hash.js";
import { Semaphore } from "../../../kernel/semaphore.js";
import { type Session, type StoreLog, StoreRefused } from "../engine.js";
import { LAST_DELETED_APPROVAL, LAST_DELETED_WIRE } from "../meta.js";
import { fileSizeBytes, fsyncPath } from "./files.js";

/** Tables whose highest primary key, including those of deleted rows, never decreases. */
const COUNTED = ["wires", "knocks", "approvals", "audit"] as const;
type Newest = Partial<Record<(typeof COUNTED)[number], number>>;

export interface Marker {
  /** A hash of the cursor secret, which identifies the database. */
  id: string;
  newest: Newest;
  /** Number of lost rows that earlier starts found. */
  missing?: Newest | undefined;
  /** Set while a daemon runs. If it is still set at a start, the last daemon was killed. */
  running?: true | undefined;
  /** For example `12 of 40 pages of its write-ahead log`. */
  lostLog?: string | undefined;
  /** Whether a daemon has already logged `lostLog`. */
  isLostLogKnown?: boolean | undefined;
}

export const markerOf = (file: string): string => `${file}-id`;

/** Returns undefined if there is no marker, or if a power failure left it incomplete. */
export async function readMarker(file: string): Promise<Marker | undefined> {
  try {
    return JSON.parse(await readFile(markerOf(file), "utf8")) as Marker;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export const removeMarker = (file: string): Promise<void> => rm(markerOf(file), { force: true });

/** @param isDurable whether to wait until the marker is on disk */
export async function writeMarker(file: string, marker: Marker, isDurable: boolean): Promise<void> {
  const draft = `${markerOf(file)}.new`;
  // A killed daemon can leave a draft.
  await rm(draft, { force: true });
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(marker)}\n`);
    if (isDurable) await handle.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await rename(draft, markerOf(file));
  if (isDurable) await fsyncPath(dirname(file));
}

/** Throws `StoreRefused` if the database is missing or empty, but files beside it show that it had data. */
export async function assertNotLost(file: string): Promise<void> {
  const size = await fileSizeBytes(file);
  if (size) return;
  const traces: string[] = [];
  if (await fileSizeBytes(`${file}-wal`)) traces.push(`${file}-wal`);
  // A first start creates the database before the lock file, so a lock file beside an empty database proves
  // nothing.
  for (const trace of [markerOf(file), ...(size === undefined ? [`${file}-lock`] : [])]) {
    if ((await fileSizeBytes(trace)) !== undefined) traces.push(trace);
  }
  if (traces.length === 0) return;
  throw lost(file, size === undefined ? "missing" : "empty", traces);
}

function lost(file: string, state: "missing" | "empty", traces: readonly string[]): StoreRefused {
  return new StoreRefused(
    `the database ${file} is ${state}, but had data (${traces.join(", ")}); ` +
      `restore a backup with wireroom restore FILE, or remove ${traces.join(" and ")} to start with an empty database`,
  );
}

export class MarkerWriter {
  private written = "";
  private loss: Pick<Marker, "missing" | "lostLog" | "isLostLogKnown"> = {};
  /** Serialises writes, because all of them use the same draft file. */
  private readonly mutex = new Semaphore();

  constructor(
    private readonly file: string,
    private readonly session: Session,
  ) {}

  /**
   * Logs each loss once, and returns whether there is a new one. Throws `StoreRefused` if the database lost
   * everything, or if the marker belongs to another database.
   */
  async compare(log: StoreLog): Promise<boolean> {
    const marker = await readMarker(this.file);
    const current = await readState(this.session);
    if (!marker) return false;
    // All data was in the write-ahead log, which is gone.
    if (!current) throw lost(this.file, "empty", [markerOf(this.file)]);
    if (marker.id !== current.id) {
      throw new StoreRefused(
        `${this.file} is another database than the one that ${markerOf(this.file)} names; put the right file back, or remove ` +
          `${markerOf(this.file)} to use this one`,
      );
    }
    const missing = missingRows(marker.newest, current.newest);
    const { lostLog, isLostLogKnown } = marker;
    this.loss = {
      missing: sum(marker.missing, missing),
      lostLog,
      isLostLogKnown: lostLog === undefined ? undefined : true,
    };
    const found = describeLoss({ missing, lostLog: isLostLogKnown ? undefined : lostLog });
    if (found === undefined) return false;
    log.error(
      { missing, lostLog },
      `the database ${this.file} lacks rows that were acknowledged: ${found}; its write-ahead log was removed or damaged, or an older file was put in its place`,
    );
    return true;
  }

  /**
   * Does nothing if the database has not changed.
   * @param isDurable whether to wait until the marker is on disk
   * @param isLast whether the daemon is about to close the database
   */
  write(isDurable: boolean, isLast = false): Promise<void> {
    return this.mutex.run(() => this.writeNow(isDurable, isLast));
  }

  private async writeNow(isDurable: boolean, isLast: boolean): Promise<void> {
    const state = await readState(this.session);
    if (!state) return;
    const marker: Marker = { ...state, ...this.loss };
    if (!isLast) marker.running = true;
    const text = JSON.stringify(marker);
    if (text === this.written && !isDurable) return;
    await writeMarker(this.file, marker, isDurable);
    this.written = text;
  }
}

/** Returns undefined until the database has a cursor secret. */
async function readState(session: Session): Promise<Pick<Marker, "id" | "newest"> | undefined> {
  const keys = COUNTED.map((table) => `(SELECT max(pk) FROM ${table}) AS ${table}`).join(", ");
  const deleted = `${LAST_DELETED_WIRE} AS deleted_wires, ${LAST_DELETED_APPROVAL} AS deleted_approvals`;
  const row = await session.get<Record<string, string | number | null>>(
    `SELECT (SELECT value FROM meta WHERE name = 'cursor_secret') AS secret, ${keys}, ${deleted}`,
  );
  const { secret, ...newest } = row!;
  if (secret === null) return undefined;
  const counts = Object.fromEntries(
    COUNTED.map((table) => [
      table,
      Math.max(Number(newest[table] ?? 0), Number(newest[`deleted_${table}`] ?? 0)),
    ]),
  );
  return { id: sha256(`database ${secret}`), newest: counts };
}

/** Returns the minimum number of missing rows, or undefined if no rows are missing. */
function missingRows(marked: Newest, found: Newest): Newest | undefined {
  const missing = COUNTED.flatMap((table) => {
    const count = (marked[table] ?? 0) - (found[table] ?? 0);
    return count > 0 ? [[table, count] as const] : [];
  });
  return missing.length === 0 ? undefined : Object.fromEntries(missing);
}

/** For example `17 wires, 2 knocks`. */
function describeRows(rows: Newest): string {
  return Object.entries(rows)
    .map(([table, count]) => `${count} ${table === "audit" ? "audit entries" : table}`)
    .join(", ");
}

function sum(one: Newest | undefined, other: Newest | undefined): Newest | undefined {
  if (!one || !other) return one ?? other;
  return Object.fromEntries(
    COUNTED.flatMap((table) => {
      const count = (one[table] ?? 0) + (other[table] ?? 0);
      return count > 0 ? [[table, count]] : [];
    }),
  );
}

/** Returns undefined if the database agrees with the marker. */
export async function markerProblem(session: Session, marker: Marker): Promise<string | undefined> {
  const state = await readState(session);
  if (!state) return undefined;
  if (marker.id !== state.id) return "the marker names another database";
  const missing = sum(marker.missing, missingRows(marker.newest, state.newest));
  const loss = describeLoss({ missing, lostLog: marker.lostLog });
  return loss && `${loss} are missing`;
}

/** For example `17 wires, and 12 of 40 pages of its write-ahead log`. */
function describeLoss({ missing, lostLog }: Pick<Marker, "missing" | "lostLog">): string | undefined {
  const rows = missing && describeRows(missing);
  return lostLog && rows ? `${rows}, and ${lostLog}` : (lostLog ?? rows);
}
