/** Thrown if comparing two schemas exceeds the step budget. `findBreakingChanges` catches the error. */
export class BudgetExceeded extends Error {}

/**
 * Limits the work of one comparison. Counts steps instead of time, so that every machine gets the same
 * result.
 */
export class Budget {
  private left: number;

  constructor(steps: number) {
    this.left = steps;
  }

  spend(steps = 1): void {
    this.left -= steps;
    if (this.left < 0) throw new BudgetExceeded();
  }
}
