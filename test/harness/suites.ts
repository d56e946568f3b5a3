/** Finds the suites of cases that others wrote; they are not part of this repository. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The suites' folder: `WIREROOM_SUITES`, or `../shared/suites` beside the project. */
export const SUITES = resolve(
  process.env.WIREROOM_SUITES ?? resolve(import.meta.dirname, "../../../shared/suites"),
);

/** The parsed JSON file at a path such as `websearch/websearch.shared.json`; undefined where it is missing. */
export function suite<T>(path: string): T | undefined {
  const file = resolve(SUITES, path);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T) : undefined;
}

/** What a test that needs the suites says in its name where they are missing. */
export const reasonToSkip = (cases: unknown): string =>
  cases === undefined ? " (skipped: the suites are missing; set WIREROOM_SUITES to their folder)" : "";

/** Prints how many of a suite's cases came out as the suite says; `exceptions` says why the others do not, by number. */
export function printFigures(
  name: string,
  all: number,
  exceptions: Readonly<Record<string, number>> = {},
): void {
  const wrong = Object.values(exceptions).reduce((sum, count) => sum + count, 0);
  console.log(`${name}: ${all - wrong} of ${all}`);
  for (const [why, count] of Object.entries(exceptions)) if (count > 0) console.log(`  ${count}: ${why}`);
}
