/** An invariant that does not hold, or that could not be checked. */
export interface BrokenInvariant {
  name: string;
  rule: string;
  /** The number of violations and examples of them, or the error of the check. */
  found: string;
}

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 200;

/**
 * What the check of an invariant has found. It keeps a few examples only, however many violations there are.
 */
export class Finding {
  private count = 0;
  private readonly examples: string[] = [];
  private failure: string | undefined;

  constructor(
    readonly name: string,
    readonly rule: string,
    /** What the violations are in, such as a table; empty for an invariant with one finding. */
    private readonly place = "",
  ) {}

  add(count: number, examples: readonly string[]): void {
    this.count += count;
    for (const example of examples.slice(0, MAX_EXAMPLES - this.examples.length))
      this.examples.push(example.replaceAll(/\s+/g, " ").slice(0, MAX_EXAMPLE_LENGTH));
  }

  /** Records an error of the database, such as a damaged page. The first one is reported. */
  fail(error: unknown): void {
    this.failure ??= `it cannot be checked: ${(error as Error).message}`;
  }

  get broken(): BrokenInvariant | undefined {
    const violations =
      this.count === 0
        ? undefined
        : this.count === 1
          ? `1 violation: ${this.examples[0]}`
          : `${this.count} violations, such as ${this.examples.join(", ")}`;
    const found = [violations, this.failure].filter((text) => text !== undefined).join("; ");
    if (found === "") return undefined;
    return { name: this.name, rule: this.rule, found: this.place === "" ? found : `${this.place}: ${found}` };
  }
}

/** A statement that selects up to {@link MAX_EXAMPLES} violations, each with the number of all of them. */
export function selectExamples(violations: string): string {
  return `SELECT example, count(*) OVER () AS n FROM (${violations}) broken LIMIT ${MAX_EXAMPLES}`;
}
