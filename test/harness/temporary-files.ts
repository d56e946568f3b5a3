/** Vitest's setup of a run: one folder for all temporary files. Vitest kills its workers, so they cannot remove all of their own. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The environment variable with the folder of temporary files that outlive a run. */
const LASTING = "WIREROOM_TEST_LASTING_FILES";

/** Returns the folder for files that later runs use again. */
export function lastingFolder(): string {
  return process.env[LASTING] ?? tmpdir();
}

/** Runs once for each project of `vitest.config.ts`, in the process that starts the workers. */
export default function setUp(): void {
  if (process.env[LASTING] !== undefined) return;
  process.env[LASTING] = tmpdir();
  const folder = mkdtempSync(join(tmpdir(), "wireroom-run-"));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}
