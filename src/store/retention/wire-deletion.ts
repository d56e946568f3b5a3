/**
 * Deletes the wires that retention hides, within the hour after they were hidden (docs/specification/reading.md#retention). Each
 * step is one short transaction, and other writes run between two steps.
 */
import { DAY, isoTime, MINUTE, now, SECOND } from "../../kernel/clock.js";
import type { Engine, StoreLog } from "../engine/engine.js";
import type { StoreStatistics } from "../engine/statistics.js";
import type { ClockGuard } from "./clock-guard.js";
import { type Deletion, defineDeletion, enqueueDeletion, findOldestWires } from "./delete-step.js";
import { findFloor, type RetentionFloors } from "./floors.js";
import { Pace } from "./pace.js";

const INTERVAL_MS = MINUTE;
/**
 * Wires are deleted this long after they were hidden, so that a write that has just found one, such as a reply, is committed by
 * then. Rate limits count the wires of the last day, which is the shortest retention.
 */
const DELAY_MS = MINUTE;
/** Wires should be deleted within the hour. From this lag on, deletion may take more of the writer's time. */
const LATE_SECONDS = 600;
/** Identifies the lock by which one daemon at a time deletes from a PostgreSQL database. */
const ADVISORY_LOCK = 7_301_204_417;

export class WireDeletion {
  private readonly pace: Pace;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private isDefined = false;
  /** Whether the log says that the clock is not believed. */
  private hasWarned = false;

  constructor(
    private readonly engine: Pick<Engine, "reader" | "write" | "writeBatched">,
    private readonly floors: RetentionFloors,
    private readonly clock: ClockGuard,
    private readonly statistics: Pick<StoreStatistics, "retention">,
    private readonly log: StoreLog,
  ) {
    this.pace = new Pace(engine, this.stopping.signal);
  }

  /** Deletes wires now and once a minute. */
  start(): void {
    this.schedule(0);
  }

  /** Resolves after the step that is running. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
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
  private async run(): Promise<void> {
    const deletions = await this.deletions();
    if (deletions.length > 0 && !(await this.isClockBelieved())) return;
    if (!this.isDefined) await this.engine.write(defineDeletion);
    this.isDefined = true;
    for (const deletion of deletions) {
      let after: number | undefined = 0;
      while (after !== undefined && !this.isStopped) after = await this.step(deletion, after);
    }
    this.statistics.retention.lagSeconds = 0;
  }

  private async isClockBelieved(): Promise<boolean> {
    const isBelieved = await this.clock.isBelieved();
    if (!isBelieved && !this.hasWarned) {
      this.log.warn(
        { clock: isoTime(now()) },
        "the clock is days ahead of the last use of the store; old wires are deleted in 45 minutes, unless it is set back",
      );
    }
    this.hasWarned = !isBelieved;
    return isBelieved;
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

  /** Returns the last primary key that was deleted; undefined if there are no more wires, or if another daemon deletes them. */
  private async step(deletion: Deletion, after: number): Promise<number | undefined> {
    const { reader } = this.engine;
    const { retention } = this.statistics;
    const found = await findOldestWires(reader, deletion, after, this.pace.size);
    if (!found) return undefined;
    const isDeleted = await this.pace.step(
      async (tx) => {
        if (tx.engine === "postgres") {
          const lock = "SELECT CASE WHEN pg_try_advisory_xact_lock(?) THEN 1 ELSE 0 END AS locked";
          if ((await tx.get<{ locked: number }>(lock, [ADVISORY_LOCK]))!.locked === 0) return false;
        }
        enqueueDeletion(tx, deletion.space, found);
        return true;
      },
      { isUrgent: retention.lagSeconds > LATE_SECONDS },
    );
    if (!isDeleted) return undefined;
    retention.deletedWires += found.count;
    retention.lagSeconds = Math.max(0, now() - deletion.days * DAY - found.newestAt) / SECOND;
    return found.last;
  }
}
