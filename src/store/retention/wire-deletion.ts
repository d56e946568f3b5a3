/**
 * Deletes the wires that retention hides, within an hour after they were hidden
 * (docs/specification/reading.md#retention). Each step is one short transaction, and other writes run between
 * two steps.
 */
import { DAY, isoTime, MINUTE, monotonicMs, now, SECOND } from "../../kernel/clock.js";
import type { Engine, StoreLog, Transaction } from "../engine/engine.js";
import type { StoreStatistics } from "../engine/statistics.js";
import type { ClockGuard } from "./clock-guard.js";
import {
  type Deletion,
  defineDeletion,
  enqueueDeletion,
  findOldestWires,
  type OldestWires,
} from "./delete-step.js";
import { findFloor, type RetentionFloors } from "./floors.js";
import { Pace } from "./pace.js";

const INTERVAL_MS = MINUTE;
/**
 * A wire is deleted this long after retention hides it, so that a concurrent write that has already read the
 * wire, such as a reply, can commit first. Retention periods are at least a day, so rate limits, which count
 * the last day, never miss a deleted wire.
 */
const DELAY_MS = MINUTE;
/** Wires should be deleted within an hour. Beyond this lag, deletion takes more of the writer's time. */
const LATE_SECONDS = 600;
/** Allows only one daemon at a time to delete from a PostgreSQL database. */
const ADVISORY_LOCK = 7_301_204_417;

export class WireDeletion {
  private readonly pace: Pace;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private isDefined = false;
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

  /** Deletes wires at once, and then every minute. */
  start(): void {
    this.schedule(0);
  }

  /** Resolves after the running step has ended. */
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
      const startedMs = monotonicMs();
      this.running = this.run()
        .catch((err: unknown) => {
          if (!this.isStopped)
            this.log.error({ err }, "old wires could not be deleted; the next try is within a minute");
        })
        .finally(() => this.schedule(Math.max(startedMs + INTERVAL_MS - monotonicMs(), 0)));
    }, delayMs).unref();
  }

  /** Reads the clock only once, so that all decisions use the time that the clock guard trusts. */
  private async run(): Promise<void> {
    const at = now();
    const deletions = await this.deletions(at);
    await this.measureLag(deletions, at);
    if (deletions.length === 0 || !(await this.isClockTrusted(at))) return;
    if (!this.isDefined) await this.engine.write(defineDeletion);
    this.isDefined = true;
    for (const deletion of deletions) {
      for (let after = 0; !this.isStopped; ) {
        this.pace.isUrgent = this.statistics.retention.lagSeconds > LATE_SECONDS;
        const found = await findOldestWires(this.engine.reader, deletion, after, this.pace.size);
        // Times do not strictly follow primary keys, so a later run deletes these wires.
        if (!found || found.newestAt > deletion.until) break;
        // Stop if another daemon deletes these wires, or if the space's retention period became longer.
        if (!(await this.delete(deletion, found))) return;
        after = found.last;
      }
    }
    const end = now();
    await this.measureLag(await this.deletions(end), end);
  }

  /** Includes wires that cannot be deleted now. */
  private async measureLag(deletions: readonly Deletion[], at: number): Promise<void> {
    let lagMs = 0;
    for (const deletion of deletions) {
      const oldest = await findOldestWires(this.engine.reader, deletion, 0, 1);
      if (oldest) lagMs = Math.max(lagMs, at - deletion.days * DAY - oldest.newestAt);
    }
    this.statistics.retention.lagSeconds = lagMs / SECOND;
  }

  private async isClockTrusted(at: number): Promise<boolean> {
    const isTrusted = await this.clock.isTrusted(at);
    if (!isTrusted && !this.hasWarned) {
      this.log.warn(
        { clock: isoTime(at) },
        "the clock is days away from the last use of the store; old wires are deleted in 45 minutes, unless it is corrected",
      );
    }
    this.hasWarned = !isTrusted;
    return isTrusted;
  }

  private async deletions(at: number): Promise<Deletion[]> {
    const { reader } = this.engine;
    const spaces = await reader.all<{ pk: number; days: number }>(
      "SELECT pk, retain_days AS days FROM spaces WHERE retain_days IS NOT NULL ORDER BY pk",
    );
    const floors = new Map<number, number>();
    const deletionOf = async (space: number | null, days: number): Promise<Deletion> => {
      const until = at - days * DAY - DELAY_MS;
      const floor = floors.get(days) ?? (await findFloor(reader, until, 0));
      floors.set(days, floor);
      return { space, days, until, floor };
    };
    const { retainDays } = this.floors;
    const deletions = retainDays === null ? [] : [await deletionOf(null, retainDays)];
    for (const { pk, days } of spaces) {
      if (retainDays === null || days < retainDays) deletions.push(await deletionOf(pk, days));
    }
    return deletions.filter(({ floor }) => floor > 0);
  }

  /**
   * Returns false if another daemon is deleting wires, or if the space's retention period has become longer.
   */
  private async delete(deletion: Deletion, found: OldestWires): Promise<boolean> {
    const { retention } = this.statistics;
    const deleted = await this.pace.step(async (tx) => {
      if (!(await isStillDue(tx, deletion))) return 0;
      enqueueDeletion(tx, deletion.space, found);
      return found.count;
    });
    if (deleted === 0) return false;
    retention.deletedWires += deleted;
    retention.lagSeconds = Math.max(0, now() - deletion.days * DAY - found.newestAt) / SECOND;
    return true;
  }
}

async function isStillDue(tx: Transaction, { space, days }: Deletion): Promise<boolean> {
  if (tx.engine === "postgres") {
    const lock = "SELECT CASE WHEN pg_try_advisory_xact_lock(?) THEN 1 ELSE 0 END AS locked";
    if ((await tx.get<{ locked: number }>(lock, [ADVISORY_LOCK]))!.locked === 0) return false;
  }
  if (space === null) return true;
  await tx.lock("spaces", "pk", [space]);
  const row = await tx.get<{ days: number | null }>("SELECT retain_days AS days FROM spaces WHERE pk = ?", [
    space,
  ]);
  return row!.days !== null && row!.days <= days;
}
