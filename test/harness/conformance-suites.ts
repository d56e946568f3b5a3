/** Finds the test suites of other projects, which are not part of this repository. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The folder of the suites: `WIREROOM_SUITES`, or `../shared/suites` relative to the project. */
export const SUITES = resolve(
  process.env.WIREROOM_SUITES ?? resolve(import.meta.dirname, "../../../shared/suites"),
);

/**
 * Returns the parsed JSON file at a path such as `websearch/websearch.shared.json`, or undefined if it does
 * not exist.
 */
export function readSuite<T>(path: string): T | undefined {
  const file = resolve(SUITES, path);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T) : undefined;
}

/** Returns the text that a test adds to its name if the suites are missing. */
export const skipNote = (cases: unknown): string =>
  cases === undefined ? " (skipped: the suites are missing; set WIREROOM_SUITES to their folder)" : "";

/**
 * Prints how many cases of a suite had the expected result; `exceptions` contains the number of other cases
 * by reason.
 */
export function printSuiteResult(
  name: string,
  all: number,
  exceptions: Readonly<Record<string, number>> = {},
): void {
  const wrong = Object.values(exceptions).reduce((sum, count) => sum + count, 0);
  console.log(`${name}: ${all - wrong} of ${all}`);
  for (const [why, count] of Object.entries(exceptions)) if (count > 0) console.log(`  ${count}: ${why}`);
}
