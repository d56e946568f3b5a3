/**
 * Finds the wires that retention hides (docs/specification/reading.md#retention). Primary keys increase with
 * time, so in each space, retention hides all wires up to one primary key, which is called the space's floor.
 * Reads compare primary keys with the floor, because indexes contain primary keys but not times.
 */
import { DAY, now } from "../../kernel/clock.js";
import type { Engine, Session } from "../engine/engine.js";
import { DELETED_MESSAGES, readMeta } from "../engine/meta.js";
import { RowsParameter, sql } from "../engine/sql.js";

const MAX_AGE_MS = 250;

export interface FloorTable {
  /** The highest primary key hidden among direct messages and in spaces without `retain_days`. */
  readonly general: number;
  /** Maps `retain_days` to the highest primary key that retention hides in spaces with this setting. */
  readonly byDays: ReadonlyMap<number, number>;
}

/** The floor is the highest primary key that retention hides in a space. */
export function floorIn({ general, byDays }: FloorTable, spaceDays: number | null): number {
  return spaceDays === null ? general : (byDays.get(spaceDays) ?? general);
}

interface Cached<Value> {
  value: Value;
  at: number;
}

export class RetentionFloors {
  private readonly floors = new Map<number, Cached<number>>();
  private loading: Promise<FloorTable> | undefined;
  private table: Cached<FloorTable> | undefined;

  /** @param retainDays days after which every wire is hidden; null if wires are never hidden */
  constructor(
    private readonly engine: Pick<Engine, "reader">,
    readonly retainDays: number | null,
  ) {}

  /**
   * Returns the highest primary key that retention hides, or 0.
   * @param spaceDays the space's `retain_days`; null for spaces without this setting and for direct messages
   */
  async of(spaceDays: number | null): Promise<number> {
    const days = this.shorter(spaceDays);
    return days === null ? 0 : this.floorOf(days);
  }

  async hides({ pk, retainDays }: { pk: number; retainDays: number | null }): Promise<boolean> {
    return pk <= (await this.of(retainDays));
  }

  async all(): Promise<FloorTable> {
    const at = now();
    if (this.table && isFresh(this.table, at)) return this.table.value;
    if (this.loading) return this.loading;
    const loading = this.load();
    this.loading = loading;
    const settle = (table: Cached<FloorTable> | undefined) => {
      // `forgetSpaces` may have been called during the load.
      if (this.loading === loading) [this.loading, this.table] = [undefined, table];
    };
    loading.then(
      (value) => settle({ value, at }),
      () => settle(undefined),
    );
    return loading;
  }

  /** Must be called after a space's `retain_days` has changed. */
  forgetSpaces(): void {
    this.table = undefined;
    this.loading = undefined;
  }

  /** Null if no wires are hidden. */
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
    // Wires up to `deleted` are gone, so their inbox items stay hidden even if retention becomes longer.
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
    // A floor only rises unless the clock is set back, so start the search at the last floor.
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
 * Selects the first wire at or after a primary key, and when it was sent. For a wire that was held for
 * approval, this is the time of the approval.
 */
const NEXT_SENT = `SELECT w.pk, coalesce((SELECT a.decided_at FROM approvals a WHERE a.ref = w.id), w.created_at) AS at
  FROM wires w WHERE w.pk >= ? ORDER BY w.pk LIMIT 1`;

/**
 * Finds the last wire that was sent at or before `until`, by galloping and binary search. Returns `start` if
 * there is none after it.
 * @param start a primary key that is not above the result
 */
export async function findFloor(session: Session, until: number, start: number): Promise<number> {
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
  // All wires from `end` on were sent after `until`.
  for (let end = floor + step; end - floor > 1; ) {
    const middle = floor + Math.floor((end - floor) / 2);
    const found = await probe(middle);
    if (found === undefined || found >= end) end = middle;
    else floor = found;
  }
  return floor;
}

const FLOORS = new RowsParameter({ days: "integer", floor: "integer" });

/** {@link floorParameters} returns the parameters of this condition. */
export const NOT_HIDDEN = sql`w.pk > ? AND NOT EXISTS (
    SELECT 1 FROM spaces fs JOIN ${FLOORS.table("f")} ON f.days = fs.retain_days
    WHERE fs.pk = w.space AND w.pk <= f.floor)`;

export function floorParameters({ general, byDays }: FloorTable) {
  return [general, FLOORS.bind([...byDays])] as const;
}
