import { createRequire } from "node:module";
import { Failure } from "../../failure.js";

/**
 * Why the database driver cannot be loaded; undefined if it can. The driver is a binary that an install script puts in
 * place, and package managers may skip such scripts. Call this before importing the daemon: on Node 20 an error that a
 * nested module throws ends the process, even if the import is caught.
 */
export function driverProblem(): Failure | undefined {
  try {
    createRequire(import.meta.url)("sqlite3");
    return undefined;
  } catch (error) {
    const reason = (error as Error).message.split("\n")[0]!.replace(/\. Tried:$/, "");
    return new Failure("FAILED", `the database driver, sqlite3, is not in place: ${reason}`, [
      "Where wireroom was installed: npm rebuild sqlite3",
      "Where npm holds its install script back, before that: npm install-scripts approve sqlite3",
    ]);
  }
}

/** Throws it. */
export function assertDriver(): void {
  const problem = driverProblem();
  if (problem) throw problem;
}
