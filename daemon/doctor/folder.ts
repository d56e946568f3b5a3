/** Checks the data folder for `wireroom doctor`: access, permissions and free space. */
import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { type Check, fail, ok, reasonOf, warn } from "./check.js";

const NAME = "data folder";
const MIB = 1024 * 1024;
/** Below this free disk space, the check warns. Below `MIN_SPACE_BYTES`, it fails. */
const LOW_SPACE_BYTES = 512 * MIB;
const MIN_SPACE_BYTES = 32 * MIB;

export async function checkFolder(dataDir: string): Promise<Check[]> {
  const stats = await stat(dataDir).catch((error: NodeJS.ErrnoException) => error);
  if (stats instanceof Error) {
    const blocked = await blockedCreation(dataDir);
    if (blocked !== undefined) return [fail(NAME, blocked, "choose another --data-dir")];
    return stats.code === "ENOENT"
      ? [ok(NAME, `${dataDir} does not exist yet; the daemon will create it`)]
      : [fail(NAME, `${dataDir} cannot be read: ${stats.message}`, "run this command as the daemon's user")];
  }
  if (!stats.isDirectory())
    return [fail(NAME, `${dataDir} is not a folder`, "move it away, or choose another --data-dir")];
  return [await checkPermissions(dataDir, stats), await checkSpace(dataDir)];
}

/** Returns why this user cannot create or write the file or folder, or undefined if they can. */
export async function blockedCreation(path: string): Promise<string | undefined> {
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      await access(existing, constants.W_OK);
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT" && existing !== dirname(existing)) continue;
      return `${path} cannot be ${existing === path ? "written" : "created"}: ${reasonOf(error)}`;
    }
  }
}

export async function checkLogFile(file: string): Promise<Check> {
  const blocked = await blockedCreation(file);
  return blocked === undefined ? ok("log", file) : fail("log", blocked, "choose another --log-file");
}

async function checkPermissions(
  dataDir: string,
  { uid, mode }: { uid: number; mode: number },
): Promise<Check> {
  const user = process.getuid?.();
  const isWritable = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable)
    return fail(NAME, `${dataDir} cannot be written`, `chown $(id -u) ${dataDir} && chmod 700 ${dataDir}`);
  if (user !== undefined && user !== uid)
    return warn(
      NAME,
      `${dataDir} belongs to user ${uid}, and this is user ${user}`,
      `run wireroom as user ${uid}: the daemon cannot write files of another user`,
    );
  if (user !== undefined && (mode & 0o077) !== 0)
    return warn(
      NAME,
      `other users can open ${dataDir} (mode ${(mode & 0o777).toString(8)})`,
      `chmod 700 ${dataDir} (the folder contains all wires and the signing keys)`,
    );
  return ok(NAME, dataDir);
}

async function checkSpace(dataDir: string): Promise<Check> {
  try {
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const message = `${Math.floor(free / MIB)} MiB free`;
    if (free < MIN_SPACE_BYTES)
      return fail("disk", message, "free some disk space: on a full disk all writes fail");
    if (free < LOW_SPACE_BYTES) return warn("disk", message, "free some disk space before writes fail");
    return ok("disk", message);
  } catch (error) {
    return warn(
      "disk",
      `the free space cannot be determined: ${reasonOf(error)}`,
      `check it with: df ${dataDir}`,
    );
  }
}
