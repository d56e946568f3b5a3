import { now } from "../../kernel/clock.js";

/** Collects times of last uses, and saves them together, so that requests need not wait. */
export class LastUses {
  /** Times in milliseconds since 1970, by primary key. */
  private pending = new Map<number, number>();
  private beingSaved: ReadonlyMap<number, number> = new Map();
  private latestSave: Promise<void> = Promise.resolve();

  constructor(
    private readonly update: (uses: readonly (readonly [pk: number, at: number])[]) => Promise<void>,
  ) {}

  record(pk: number, at: number): void {
    this.pending.set(pk, at);
  }

  /** Returns a last-use time that is not in the database yet, or undefined if the database is up to date. */
  unsaved(pk: number): number | undefined {
    return this.pending.get(pk) ?? this.beingSaved.get(pk);
  }

  save(): Promise<void> {
    this.latestSave = this.latestSave.catch(() => undefined).then(() => this.savePending());
    return this.latestSave;
  }

  private async savePending(): Promise<void> {
    if (this.pending.size === 0) return;
    this.beingSaved = this.pending;
    this.pending = new Map();
    try {
      // The clock may have been set back after the use, so cap each time at the current time.
      const latest = now();
      await this.update([...this.beingSaved].map(([pk, at]) => [pk, Math.min(at, latest)] as const));
    } catch (error) {
      // Keep the unsaved times for the next save. Newer times of the same key take precedence.
      this.pending = new Map([...this.beingSaved, ...this.pending]);
      throw error;
    } finally {
      this.beingSaved = new Map();
    }
  }
}
