/** Finds the suites of cases that others wrote; they are not part of the repository. */

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

const ROOT = process.env.WIREROOM_SUITES ?? resolve(import.meta.dirname, "../../../shared/suites");

/** The parsed JSON file at a path inside the suites' folder (env WIREROOM_SUITES); undefined where it is missing. */
export function suite(path: string): unknown | undefined {
  const file = resolve(ROOT, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
