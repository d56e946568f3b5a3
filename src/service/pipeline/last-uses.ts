import { now } from "../../kernel/clock.js";

/**
 * Last-use times of credentials that are not saved yet. They are saved once a minute, so that no request
 * waits for the write.
 */
export class LastUses {
  /**
   * Times in milliseconds since 1970, by primary key. `pending` are not saved yet, and `beingSaved` are being
   * saved now.
   */
  private pending = new Map<number, number>();
  private beingSaved: ReadonlyMap<number, number> = new Map();
  private latestSave: Promise<void> = Promise.resolve();

  constructor(
    private readonly update: (uses: readonly (readonly [pk: number, at: number])[]) => Promise<void>,
  ) {}

  record(pk: number, at: number): void {
    this.pending.set(pk, at);
  }

  /** Returns the last use that is not saved yet. Returns undefined if the database is up to date. */
  unsaved(pk: number): number | undefined {
    return this.pending.get(pk) ?? this.beingSaved.get(pk);
  }

  /** Saves the times of all uses so far. Saves run one after the other. */
  save(): Promise<void> {
    this.latestSave = this.latestSave.catch(() => undefined).then(() => this.savePending());
    return this.latestSave;
  }

  private async savePending(): Promise<void> {
    if (this.pending.size === 0) return;
    this.beingSaved = this.pending;
    this.pending = new Map();
    try {
      // The clock may have been set back since.
      const latest = now();
      await this.update([...this.beingSaved].map(([pk, at]) => [pk, Math.min(at, latest)] as const));
    } catch (error) {
      // Keeps the times that could not be saved, so that the next save includes them. Newer times of the same
      // key take precedence.
      this.pending = new Map([...this.beingSaved, ...this.pending]);
      throw error;
    } finally {
      this.beingSaved = new Map();
    }
  }
}
