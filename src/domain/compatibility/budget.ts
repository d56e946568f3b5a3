/** Thrown inside the comparison when its work passes the bound, and caught by the entry. */
export class TooComplex extends Error {}

/**
 * The bound on one comparison. Counting steps, not time, keeps the verdict the same on every machine.
 * A step is about a microsecond of work.
 */
export class Budget {
  private left: number;

  constructor(steps: number) {
    this.left = steps;
  }

  /** Takes `steps` off; throws `TooComplex` when none are left. */
  spend(steps = 1): void {
    this.left -= steps;
    if (this.left < 0) throw new TooComplex();
  }
}
