import { createRequire } from "node:module";
import { Failure } from "../../failure.js";

/**
 * Returns a failure if the database driver cannot be loaded. Call this before importing the daemon, because
 * on Node 20 a missing driver ends the process, even if the caller catches the import error.
 */
export function driverFailure(): Failure | undefined {
  try {
    createRequire(import.meta.url)("sqlite3");
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_DLOPEN_DISABLED")
      return new Failure("FAILED", "the permission model of Node denies the database driver sqlite3", [
        "Add --allow-addons to NODE_OPTIONS, or run without its options: NODE_OPTIONS= wireroom …",
      ]);
    const reason = (error as Error).message.split("\n")[0]!.replace(/\. Tried:$/, "");
    return new Failure("FAILED", `the database driver sqlite3 is not installed: ${reason}`, [
      "In the folder where wireroom is installed, run: npm rebuild sqlite3",
      "npm 12 and newer first need: npm install-scripts approve sqlite3",
      "If npm finds no binary, it needs Python 3, make and a C++ compiler: docs/troubleshooting.md",
    ]);
  }
}

export function assertDriver(): void {
  const failure = driverFailure();
  if (failure) throw failure;
}
