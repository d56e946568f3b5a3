/**
 * Vitest's setup of a run: one folder for all temporary files. Vitest kills its workers, so they cannot
 * remove all their files themselves.
 */
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

/** The environment variable with the folder of temporary files that outlive a run. */
const LASTING = "WIREROOM_TEST_LASTING_FILES";

/** Linux's file system in memory. */
const MEMORY = "/dev/shm";
/**
 * Bytes that must be free in that file system and in memory. A run needs less than half of them, mostly for
 * PostgreSQL's write-ahead logs.
 */
const ROOM_BYTES = 3 * 1024 ** 3;

/** Returns the folder for files that later runs use again. */
export function lastingFolder(): string {
  return process.env[LASTING] ?? tmpdir();
}

/** Runs once for each project of `vitest.config.ts`, in the process that starts the workers. */
export default function setUp(): void {
  if (process.env[LASTING] !== undefined) return;
  process.env[LASTING] = tmpdir();
  // The daemons of the tests sync each commit. In memory, a sync takes no time. Tests of lost syncs and full
  // disks replace the system calls.
  const parent = process.env.TMPDIR === undefined && hasRoomInMemory() ? MEMORY : tmpdir();
  const folder = mkdtempSync(join(parent, "wireroom-run-"));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}

/**
 * Returns whether the file system in memory has room for a run, and can run programs. In containers, it often
 * has only 64 MB, or forbids programs.
 */
function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === MEMORY);
    const options = mount?.split(" ")[3]?.split(",");
    return bavail * bsize >= ROOM_BYTES && freemem() >= ROOM_BYTES && options?.includes("noexec") === false;
  } catch {
    return false;
  }
}
