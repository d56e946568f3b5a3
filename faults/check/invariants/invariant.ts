/** A property of the stored data that must hold after every fault, beyond what `wireroom store check` checks. */
export interface Invariant {
  name: string;
  /** A sentence that states what must hold. */
  rule: string;
  /**
   * Statements that select one row for each violation. Its only column, `example`, is a text that names the
   * violating row.
   */
  violations: readonly string[];
}

export function invariant(name: string, rule: string, ...violations: string[]): Invariant {
  return { name, rule, violations };
}
