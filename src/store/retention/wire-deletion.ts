/**
 * Deletes the wires that retention hides, within the hour after they were hidden (docs/specification/reading.md#retention). Each
 * step is one short transaction, and other writes run between two steps.
 */
import { DAY, MINUTE, monotonicMs, now, SECOND } from "../../kernel/clock.js";
import type { Engine, StoreLog } from "../engine/engine.js";
import type { StoreStatistics } from "../engine/statistics.js";
import { type Deletion, deleteOldestWires } from "./delete-step.js";
import { findFloor, type RetentionFloors } from "./floors.js";

const INTERVAL_MS = MINUTE;
/**
 * Wires are deleted this long after they were hidden, so that a write that has just found one, such as a reply, is committed by
 * then. Rate limits count the wires of the last day, which is the shortest retention.
 */
const DELAY_MS = MINUTE;
/**
 * After the clock has jumped ahead by more than this, nothing is deleted for a while: a machine may start with a wrong clock, and its
 * clock is then corrected within minutes. What was deleted does not come back.
 */
const JUMP_MS = DAY;
/** Shorter than the hour within which hidden wires are deleted. */
const PROBATION_MS = 45 * MINUTE;
/** A step takes about this long. Other writes may be delayed by 20 ms. */
const STEP_MS = 8;
const MAX_WIRES_PER_STEP = 500;
const FIRST_STEP = 16;
/** Pause after a step, as a multiple of its time: deletion takes at most half of the writer's time. */
const PAUSE_FACTOR = 1;
/** Identifies the lock by which one daemon at a time deletes from a PostgreSQL database. */
const ADVISORY_LOCK = 7_301_204_417;

export class WireDeletion {
  /** Number of wires in a step, which adapts to the time of the last one. */
  private stepSize = FIRST_STEP;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopped = false;
  /** The difference of the system clock to the monotonic one at the last look; undefined before the first one. */
  private clockOffsetMs: number | undefined;
  /** Monotonic time from which wires are deleted. */
  private trustedFromMs = 0;

  constructor(
    private readonly engine: Pick<Engine, "reader" | "write">,
    private readonly floors: RetentionFloors,
    private readonly statistics: Pick<StoreStatistics, "retention">,
    private readonly log: StoreLog,
  ) {}

  /** Deletes wires now and once a minute. */
  start(): void {
    this.schedule(0);
  }

  /** Resolves after the step that is running. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.run()
        .catch((err: unknown) => {
          if (!this.isStopped)
            this.log.error({ err }, "old wires could not be deleted; the next try is in a minute");
        })
        .finally(() => this.schedule(INTERVAL_MS));
    }, delayMs).unref();
  }

  /** Deletes all wires that have been hidden for a minute. */
  async run(): Promise<void> {
    const deletions = await this.deletions();
    await this.watchClock(deletions.length > 0);
    if (monotonicMs() < this.trustedFromMs) return;
    for (const deletion of deletions) {
      let after = 0;
      for (let next: Step | undefined; !this.isStopped; after = next.last) {
        next = await this.step(deletion, after);
        if (next === undefined) break;
        await pause(next.tookMs * PAUSE_FACTOR);
      }
    }
    this.statistics.retention.lagSeconds = 0;
  }

  /**
   * Compares the clock with that of the last look, or at first with the newest time that the store contains. After a jump,
   * nothing is deleted for a while.
   * @param hasOldWires whether there is something to delete by this clock
   */
  private async watchClock(hasOldWires: boolean): Promise<void> {
    const offsetMs = now() - monotonicMs();
    const aheadMs = offsetMs - (this.clockOffsetMs ?? (await newestTime(this.engine.reader)) - monotonicMs());
    this.clockOffsetMs = offsetMs;
    if (aheadMs <= JUMP_MS) return;
    this.trustedFromMs = monotonicMs() + PROBATION_MS;
    if (!hasOldWires) return;
    this.log.warn(
      { days: Math.round(aheadMs / DAY) },
      "the clock is days ahead of the last use of the store; old wires are deleted in 45 minutes, unless it is set back",
    );
  }

  private async deletions(): Promise<Deletion[]> {
    const { reader } = this.engine;
    const spaces = await reader.all<{ pk: number; days: number }>(
      "SELECT pk, retain_days AS days FROM spaces WHERE retain_days IS NOT NULL ORDER BY pk",
    );
    const byDays = new Map<number, number>();
    const floorOf = async (days: number) => {
      let floor = byDays.get(days);
      if (floor === undefined) {
        floor = await findFloor(reader, now() - days * DAY - DELAY_MS, 0);
        byDays.set(days, floor);
      }
      return floor;
    };
    const { retainDays } = this.floors;
    const deletions: Deletion[] =
      retainDays === null ? [] : [{ space: null, days: retainDays, floor: await floorOf(retainDays) }];
    for (const { pk, days } of spaces) {
      if (retainDays === null || days < retainDays)
        deletions.push({ space: pk, days, floor: await floorOf(days) });
    }
    return deletions.filter(({ floor }) => floor > 0);
  }

  /** Returns undefined if there are no more wires, or if another daemon deletes them. */
  private async step(deletion: Deletion, after: number): Promise<Step | undefined> {
    let startedMs = 0;
    const found = await this.engine.write(async (tx) => {
      startedMs = monotonicMs();
      if (tx.engine === "postgres") {
        const lock = "SELECT CASE WHEN pg_try_advisory_xact_lock(?) THEN 1 ELSE 0 END AS locked";
        if ((await tx.get<{ locked: number }>(lock, [ADVISORY_LOCK]))!.locked === 0) return undefined;
      }
      return deleteOldestWires(tx, deletion, after, this.stepSize);
    }, "retention");
    if (!found) return undefined;
    const tookMs = monotonicMs() - startedMs;
    const { retention } = this.statistics;
    retention.deletedWires += found.count;
    retention.lagSeconds = Math.max(0, now() - deletion.days * DAY - found.newestAt) / SECOND;
    const factor = Math.min(Math.max(STEP_MS / tookMs, 1 / 4), 2);
    this.stepSize = Math.min(Math.max(Math.round(this.stepSize * factor), 1), MAX_WIRES_PER_STEP);
    return { last: found.last, tookMs };
  }
}

interface Step {
  last: number;
  tookMs: number;
}

/** Returns the newest time that a daemon has stored; 0 in a new store. The last use of a key is stored to the minute. */
async function newestTime(reader: Pick<Engine["reader"], "get">): Promise<number> {
  const row = await reader.get<{ at: number }>(NEWEST_TIME);
  return row!.at;
}

const NEWEST_TIME = `SELECT max(at) AS at FROM (
    SELECT coalesce(max(last_used_at), 0) AS at FROM api_keys
    UNION ALL SELECT coalesce(max(last_used_at), 0) FROM connections
    UNION ALL SELECT coalesce((SELECT at FROM audit ORDER BY pk DESC LIMIT 1), 0)
    UNION ALL SELECT coalesce((SELECT created_at FROM wires ORDER BY pk DESC LIMIT 1), 0)
  ) times`;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
