/** Thrown when a comparison has used up its steps. */
export class BudgetExceeded extends Error {}

/** Limits the work of one comparison. Counts steps, so that every machine gets the same result. */
export class Budget {
  constructor(private left: number) {}

  spend(steps = 1): void {
    this.left -= steps;
    if (this.left < 0) throw new BudgetExceeded();
  }
}
