/** A lock between processes: a file that only one of them can create. */
import { open, readFile, rm } from "node:fs/promises";
import { now, sleep } from "../clock.js";
import { Failure } from "../failure.js";

/** Milliseconds between two tries. */
const PAUSE = 25;
/** Milliseconds after which waiting ends; longer than a sign-in's refresh may take. */
const PATIENCE = 30_000;

/** Runs `work` while this process alone holds the lock. A lock whose process is gone is taken over. */
export async function withLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const deadline = now() + PATIENCE;
  while (!(await taken(file))) {
    if (await abandoned(file)) await rm(file, { force: true });
    else if (now() > deadline)
      throw new Failure("FAILED", `another wireroom holds ${file}: end it, or delete the file`);
    else await sleep(PAUSE);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function taken(file: string): Promise<boolean> {
  try {
    const handle = await open(file, "wx", 0o600);
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw new Failure("FAILED", `${file} cannot be made: ${(error as Error).message}`);
  }
}

async function abandoned(file: string): Promise<boolean> {
  const owner = Number(await readFile(file, "utf8").catch(() => ""));
  // An empty file belongs to a process that is just writing its number into it.
  if (!Number.isInteger(owner) || owner <= 0) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
