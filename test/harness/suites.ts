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
