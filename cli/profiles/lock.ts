/**
 * A lock between processes, without any that a process which was killed could leave behind. Whoever wants the lock puts
 * a claim (an empty file) beside the others, and holds it once there is no other. Of two who claim at once at least one
 * sees the other; the later name gives way. A claim has a name that is never used again, so that anyone may remove that
 * of a process which is gone, as often as they like.
 */
import { open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { freshName, now, randomBelow, sleep } from "../clock.js";
import { Failure } from "../failure.js";

/** Milliseconds between two looks, about. */
const PAUSE = 20;
/** Milliseconds after which waiting ends; longer than a sign-in's refresh may take. */
const PATIENCE = 30_000;

/** Runs `work` while this process alone holds the lock of that name. `work` must not ask for it again. */
export async function withLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const claim = await claimed(file);
  try {
    return await work();
  } finally {
    await rm(claim, { force: true });
  }
}

/** The path of this process's claim, once it is the only one. */
async function claimed(file: string): Promise<string> {
  const deadline = now() + PATIENCE;
  const mine = `${basename(file)}-${process.pid}-${freshName()}`;
  const path = join(dirname(file), mine);
  try {
    for (;;) {
      await put(path);
      const others = await claimsBeside(file, mine);
      if (others.length === 0) return path;
      if (others.some((other) => other < mine)) await rm(path, { force: true });
      if (now() > deadline)
        throw new Failure("FAILED", `another wireroom holds ${join(dirname(file), others[0]!)}`, [
          "End it; or, where no wireroom runs, delete that file.",
        ]);
      await sleep(PAUSE + randomBelow(PAUSE));
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

async function put(path: string): Promise<void> {
  try {
    await (await open(path, "a", 0o600)).close();
  } catch (error) {
    throw new Failure("FAILED", `${path} cannot be made: ${(error as Error).message}`);
  }
}

/** Other claims of processes that are alive; those of processes that are gone are removed. */
async function claimsBeside(file: string, mine: string): Promise<string[]> {
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

/** The process whose claim has that name; undefined for any other file. */
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
