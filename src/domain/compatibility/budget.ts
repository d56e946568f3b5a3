/**
 * Thrown if a comparison of two schemas needs more steps than its budget. `findBreakingChanges` catches the
 * error.
 */
export class BudgetExceeded extends Error {}

/**
 * Limits the work of one comparison. The budget counts steps and not time, so that the result is the same on
 * every machine. One step takes about a microsecond.
 */
export class Budget {
  private left: number;

  constructor(steps: number) {
    this.left = steps;
  }

  /** Subtracts `steps` from the budget. Throws `BudgetExceeded` if the budget is used up. */
  spend(steps = 1): void {
    this.left -= steps;
    if (this.left < 0) throw new BudgetExceeded();
  }
}
