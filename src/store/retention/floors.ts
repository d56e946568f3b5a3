/**
 * Finds the wires that retention hides (docs/specification/reading.md#retention). Primary keys increase with
 * time, so the wires of a space that are too old are those up to one primary key, its floor. Reads compare
 * primary keys with a floor, which their indexes contain, and never times.
 */
import { DAY, now } from "../../kernel/clock.js";
import { DELETED_MESSAGES } from "../engine/deletion-marks.js";
import type { Engine, Session } from "../engine/engine.js";
import { RowsParameter, type Sql, textFor } from "../engine/sql.js";
import { readMeta } from "../meta.js";

/** A floor is used for this long, so that a busy service does not search for it with each read. */
const MAX_AGE_MS = 250;

/** The floors of all spaces at one time. */
export interface FloorTable {
  /** Floor of direct messages, and of every space without `retain_days`. No space has a lower one. */
  readonly general: number;
  /** Floor of the spaces with these `retain_days`. */
  readonly byDays: ReadonlyMap<number, number>;
}

/** Returns the floor of a space with these `retain_days`. */
export function floorIn({ general, byDays }: FloorTable, spaceDays: number | null): number {
  return spaceDays === null ? general : (byDays.get(spaceDays) ?? general);
}

/** A value, and the time at which it was found. */
interface Cached<Value> {
  value: Value;
  at: number;
}

export class RetentionFloors {
  private readonly floors = new Map<number, Cached<number>>();
  private loading: Promise<FloorTable> | undefined;
  private table: Cached<FloorTable> | undefined;

  /** @param retainDays days after which every wire is hidden; null for never */
  constructor(
    private readonly engine: Pick<Engine, "reader">,
    readonly retainDays: number | null,
  ) {}

  /**
   * Returns the floor of a space: the primary key up to which its wires are hidden, 0 if none is.
   * @param spaceDays `retain_days` of the space; null for none and for direct messages
   */
  async of(spaceDays: number | null): Promise<number> {
    const days = this.shorter(spaceDays);
    return days === null ? 0 : this.floorOf(days);
  }

  /** Returns whether a wire is hidden. */
  async hides({ pk, retainDays }: { pk: number; retainDays: number | null }): Promise<boolean> {
    return pk <= (await this.of(retainDays));
  }

  /** Returns the floors of all spaces. */
  async all(): Promise<FloorTable> {
    const at = now();
    if (this.table && isFresh(this.table, at)) return this.table.value;
    if (this.loading) return this.loading;
    const loading = this.load();
    this.loading = loading;
    const settle = (table: Cached<FloorTable> | undefined) => {
      // A load that began before spaces changed is forgotten.
      if (this.loading === loading) [this.loading, this.table] = [undefined, table];
    };
    loading.then(
      (value) => settle({ value, at }),
      () => settle(undefined),
    );
    return loading;
  }

  /** Must be called after `retain_days` of a space has changed. */
  forgetSpaces(): void {
    this.table = undefined;
    this.loading = undefined;
  }

  /** Returns the time up to which wires are hidden; null if none is. */
  hiddenUntil(spaceDays: number | null): number | null {
    const days = this.shorter(spaceDays);
    return days === null ? null : now() - days * DAY;
  }

  private async load(): Promise<FloorTable> {
    const { reader } = this.engine;
    const [rows, deleted] = await Promise.all([
      reader.all<{ days: number }>(
        "SELECT DISTINCT retain_days AS days FROM spaces WHERE retain_days IS NOT NULL",
      ),
      readMeta(reader, DELETED_MESSAGES),
    ]);
    const own = await this.of(null);
    const byDays = new Map(
      await Promise.all(rows.map(async ({ days }) => [days, await this.of(days)] as const)),
    );
    // Items of inboxes whose wires were deleted stay hidden after a longer retention was set.
    const general = Math.max(own, Number(deleted ?? 0));
    return { general, byDays };
  }

  private shorter(spaceDays: number | null): number | null {
    if (spaceDays === null || this.retainDays === null) return spaceDays ?? this.retainDays;
    return Math.min(spaceDays, this.retainDays);
  }

  private async floorOf(days: number): Promise<number> {
    const at = now();
    const cached = this.floors.get(days);
    if (cached && isFresh(cached, at)) return cached.value;
    // A floor only rises while the clock runs forward, so the search starts at the last one.
    const start = cached && cached.at <= at ? cached.value : 0;
    const value = await findFloor(this.engine.reader, at - days * DAY, start);
    this.floors.set(days, { value, at });
    return value;
  }
}

function isFresh({ at: foundAt }: Cached<unknown>, at: number): boolean {
  return at >= foundAt && at < foundAt + MAX_AGE_MS;
}

/**
 * The first wire from a primary key on, with the time at which it was sent. A wire that was held for approval
 * was sent when it was approved, and its `created_at` is the time at which it was held.
 */
const NEXT_SENT = `SELECT w.pk, coalesce((SELECT a.decided_at FROM approvals a WHERE a.ref = w.id), w.created_at) AS at
  FROM wires w WHERE w.pk >= ? ORDER BY w.pk LIMIT 1`;

/**
 * Finds the last wire that was sent by a time, by galloping and binary search.
 * @param start a primary key that is not above the result
 * @returns its primary key, or `start` if there is none
 */
export async function findFloor(session: Session, until: number, start: number): Promise<number> {
  /** Returns the first wire from a primary key on if it was sent by then. */
  const probe = async (pk: number) => {
    const next = await session.get<{ pk: number; at: number }>(NEXT_SENT, [pk]);
    return next && next.at <= until ? next.pk : undefined;
  };
  let floor = start;
  let step = 1;
  for (let found = await probe(floor + 1); found !== undefined; found = await probe(floor + step)) {
    floor = found;
    step *= 2;
  }
  // No wire from `end` on was sent by then.
  for (let end = floor + step; end - floor > 1; ) {
    const middle = floor + Math.floor((end - floor) / 2);
    const found = await probe(middle);
    if (found === undefined || found >= end) end = middle;
    else floor = found;
  }
  return floor;
}

const FLOORS = new RowsParameter({ days: "integer", floor: "integer" });

/**
 * The SQL condition for wires `w` of any space that are not hidden. Its parameters are
 * {@link floorParameters}.
 */
export function notHidden(engine: Session["engine"]): string {
  return `w.pk > ? AND NOT EXISTS (SELECT 1 FROM spaces fs JOIN ${textFor(engine, FLOOR_ROWS)} ON f.days = fs.retain_days
    WHERE fs.pk = w.space AND w.pk <= f.floor)`;
}

const FLOOR_ROWS: Sql = { sqlite: FLOORS.table("sqlite", "f"), postgres: FLOORS.table("postgres", "f") };

export function floorParameters({ general, byDays }: FloorTable) {
  return [general, FLOORS.bind([...byDays])] as const;
}
