/**
 * A file lock between processes. A process creates a claim, an empty file with its process id in the name,
 * and owns the lock when no other process has a claim. If two processes have claims, the process whose claim
 * sorts later withdraws. Deleting a dead process's claim is safe, because claim names are never reused.
 * docs/decisions/021-keep-our-own-profile-lock.md explains why no package is used.
 */
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
  /** Called before a dead process's claim is deleted. */
  beforeTakeover?(): Promise<void>;
  busy?(pid: number): Failure;
}

/** Runs `task` while holding the lock. `task` must not acquire the same lock. */
export async function withLock<Result>(
  file: string,
  task: () => Promise<Result>,
  options: LockOptions = {},
): Promise<Result> {
  const claim = await acquire(file, options);
  try {
    return await task();
  } finally {
    await rm(claim, { force: true });
  }
}

async function acquire(file: string, options: LockOptions): Promise<string> {
  const deadlineMs = monotonicMs() + (options.timeoutMs ?? TIMEOUT_MS);
  const mine = `${basename(file)}-${process.pid}-${randomHexName()}`;
  const path = join(dirname(file), mine);
  try {
    for (;;) {
      await createClaim(path);
      const others = await removeDeadClaims(file, mine, options);
      const [first] = others;
      if (first === undefined) return path;
      if (others.some((other) => other < mine)) await rm(path, { force: true });
      if (monotonicMs() > deadlineMs)
        throw options.busy?.(ownerOf(first, `${basename(file)}-`)!) ?? isBusy(join(dirname(file), first));
      await sleep(PAUSE_MS + randomBelow(PAUSE_MS));
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
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

/** Deletes dead processes' claims. Returns the names of live processes' claims, except `mine`. */
async function removeDeadClaims(
  file: string,
  mine: string,
  { isOwner, beforeTakeover }: LockOptions,
): Promise<string[]> {
  const folder = dirname(file);
  const held: string[] = [];
  for (const name of await readdir(folder)) {
    const owner = ownerOf(name, `${basename(file)}-`);
    if (owner === undefined || name === mine) continue;
    const path = join(folder, name);
    const isHeld = isAlive(owner) && ((await isOwner?.(owner, await modifiedAt(path))) ?? true);
    if (isHeld) held.push(name);
    else {
      await beforeTakeover?.();
      await rm(path, { force: true });
    }
  }
  return held;
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
