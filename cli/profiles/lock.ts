/**
 * A file lock between processes. A process creates a claim, an empty file with its process id in the name,
 * and owns the lock when no other process has a claim. If two processes have claims, the process whose claim
 * sorts later withdraws. Deleting a dead process's claim is safe, because claim names are never reused.
 * docs/decisions/021-keep-our-own-profile-lock.md explains why no package is used.
 */
import { rmSync } from "node:fs";
import { open, readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { monotonicMs, randomBelow, randomHexName, sleep } from "../clock.js";
import { Failure } from "../failure.js";

/** Minimum pause between attempts. The actual pause is random and at most twice as long. */
const PAUSE_MS = 20;
/** Maximum wait for the lock. A token refresh holds it for two requests of up to 30 seconds each. */
const TIMEOUT_MS = 65_000;

export interface LockOptions {
  timeoutMs?: number;
  /** Returns whether process `pid` created the lock file. False if another process has the same id by now. */
  isOwner?(pid: number, claimedAtMs: number): Promise<boolean>;
  /** Called before dead processes' claims are deleted. */
  beforeTakeover?(): Promise<void>;
  busy?(pid: number): Failure;
}

/** Paths of this process's claims. A process that exits withdraws them, even after a second signal. */
const claims = new Set<string>();
process.once("exit", () => {
  for (const path of claims) rmSync(path, { force: true });
});

/** Runs `task` while holding the lock. `task` must not acquire the same lock. */
export async function withLock<Result>(
  file: string,
  task: () => Promise<Result>,
  options: LockOptions = {},
): Promise<Result> {
  const path = join(dirname(file), `${basename(file)}-${process.pid}-${randomHexName()}`);
  claims.add(path);
  try {
    await acquire(file, path, options);
    return await task();
  } finally {
    await rm(path, { force: true });
    claims.delete(path);
  }
}

async function acquire(file: string, path: string, options: LockOptions): Promise<void> {
  const { timeoutMs = TIMEOUT_MS, beforeTakeover, busy } = options;
  const mine = basename(path);
  let deadlineMs = monotonicMs() + timeoutMs;
  for (;;) {
    await createClaim(path);
    const { held, dead } = await otherClaims(file, mine, options);
    if (dead.length > 0) {
      await beforeTakeover?.();
      for (const claim of dead) await rm(claim, { force: true });
      // If several processes have waited for the takeover, they still need time to find out which of them is
      // first.
      deadlineMs = monotonicMs() + timeoutMs;
      continue;
    }
    const [first] = held;
    if (first === undefined) return;
    if (held.some((other) => other < mine)) await rm(path, { force: true });
    if (monotonicMs() > deadlineMs)
      throw busy?.(ownerOf(first, `${basename(file)}-`)!) ?? isBusy(join(dirname(file), first));
    await sleep(PAUSE_MS + randomBelow(PAUSE_MS));
  }
}

function isBusy(claim: string): Failure {
  return new Failure("FAILED", `another wireroom process holds the lock ${claim}`, [
    "Stop that process. If none runs, delete the file.",
  ]);
}

async function createClaim(path: string): Promise<void> {
  try {
    await (await open(path, "a", 0o600)).close();
  } catch (error) {
    throw new Failure("FAILED", `cannot create ${path}: ${(error as Error).message}`);
  }
}

/** Returns the names of live processes' claims, except `mine`, and the paths of dead processes' claims. */
async function otherClaims(
  file: string,
  mine: string,
  { isOwner }: LockOptions,
): Promise<{ held: string[]; dead: string[] }> {
  const held: string[] = [];
  const dead: string[] = [];
  for (const name of await readdir(dirname(file))) {
    const owner = ownerOf(name, `${basename(file)}-`);
    if (owner === undefined || name === mine) continue;
    const path = join(dirname(file), name);
    const isHeld = isAlive(owner) && ((await isOwner?.(owner, await modifiedAt(path))) ?? true);
    if (isHeld) held.push(name);
    else dead.push(path);
  }
  return { held, dead };
}

async function modifiedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
}

/** Returns the process id from a claim's name, `<prefix><process id>-<16 hex digits>`, or undefined. */
function ownerOf(name: string, prefix: string): number | undefined {
  const owner = name.startsWith(prefix) && /^(\d+)-[0-9a-f]{16}$/.exec(name.slice(prefix.length));
  return owner ? Number(owner[1]) : undefined;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
