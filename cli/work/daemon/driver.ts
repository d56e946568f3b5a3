import { createRequire } from "node:module";
import { Failure } from "../../failure.js";

/**
 * Why the database driver cannot be loaded; undefined where it can. It is a binary that a script of its package puts in
 * place, and package managers leave such scripts out where they are told to, or not told otherwise. To be asked before the
 * daemon's files are imported: Node 20 ends the process where a module of a module throws, whoever catches it.
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
