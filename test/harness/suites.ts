import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/** Where the cases lie that others wrote: they are not part of this repository. */
const root = process.env.WIREROOM_SUITES ?? resolve("../shared/suites");

/** Reads a suite's JSON file, such as `websearch/websearch.shared.json`; undefined where it is missing. */
export function suite<T>(path: string): T | undefined {
  const file = resolve(root, path);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T) : undefined;
}
