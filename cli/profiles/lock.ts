/**
 * A lock between processes that survives kills. A process that wants the lock creates a claim, an empty file, and holds
 * the lock when there is no other claim. Of two processes that claim at the same time, at least one sees the other, and the
 * one whose name sorts later withdraws. The name of a claim is never used again, so any process may remove the claim of a
 * dead process without a race. docs/decisions/021-a-profile-lock-of-our-own.md says why this is no package.
 */
import { open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { freshName, now, randomBelow, sleep } from "../clock.js";
import { Failure } from "../failure.js";

/** Least time between two attempts; the longest is twice as long. */
const PAUSE_MS = 20;
/** Waiting for the lock ends after this time, which is longer than the refresh of a token may take. */
const TIMEOUT_MS = 30_000;

/** Runs `work` while this process holds the lock. Not reentrant: `work` must not ask for the same lock. */
export async function withLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const claim = await claimed(file);
  try {
    return await work();
  } finally {
    await rm(claim, { force: true });
  }
}

/** Waits for the lock. Returns the path of this process's claim. */
async function claimed(file: string): Promise<string> {
  const deadline = now() + TIMEOUT_MS;
  const mine = `${basename(file)}-${process.pid}-${freshName()}`;
  const path = join(dirname(file), mine);
  try {
    for (;;) {
      await createClaim(path);
      const others = await removeDeadClaims(file, mine);
      if (others.length === 0) return path;
      if (others.some((other) => other < mine)) await rm(path, { force: true });
      if (now() > deadline)
        throw new Failure("FAILED", `another wireroom holds ${join(dirname(file), others[0]!)}`, [
          "End it; or, where no wireroom runs, delete that file.",
        ]);
      await sleep(PAUSE_MS + randomBelow(PAUSE_MS));
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function createClaim(path: string): Promise<void> {
  try {
    await (await open(path, "a", 0o600)).close();
  } catch (error) {
    throw new Failure("FAILED", `${path} cannot be made: ${(error as Error).message}`);
  }
}

/** Removes the claims of dead processes. Returns the other claims of live ones. */
async function removeDeadClaims(file: string, mine: string): Promise<string[]> {
  const folder = dirname(file);
  const held: string[] = [];
  for (const name of await readdir(folder)) {
    const owner = ownerOf(name, `${basename(file)}-`);
    if (owner === undefined || name === mine) continue;
    if (isAlive(owner)) held.push(name);
    else await rm(join(folder, name), { force: true });
  }
  return held;
}

/** The id of the process that a claim belongs to; undefined for any other file. */
function ownerOf(name: string, prefix: string): number | undefined {
  const owner = name.startsWith(prefix) && /^(\d+)-[0-9a-f]{16}$/.exec(name.slice(prefix.length));
  return owner ? Number(owner[1]) : undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
