import { access, constants, stat, statfs } from "node:fs/promises";
import { type Check, fail, ok, reasonOf, warn } from "./check.js";

const NAME = "data folder";
const MIB = 1024 * 1024;
/** Bytes of free space: below the first it should be looked at, below the second writes are about to fail. */
const LITTLE = 512 * MIB;
const NOTHING = 32 * MIB;

/** Whether the data folder is there, belongs to this user, and can be written by nobody else. */
export async function checkFolder(dataDir: string): Promise<Check[]> {
  const stats = await stat(dataDir).catch((error: NodeJS.ErrnoException) => error);
  if (stats instanceof Error) {
    return stats.code === "ENOENT"
      ? [ok(NAME, `${dataDir} is not there yet; the daemon makes it`)]
      : [fail(NAME, `${dataDir} cannot be looked at: ${stats.message}`, "run this as the daemon's user")];
  }
  if (!stats.isDirectory())
    return [fail(NAME, `${dataDir} is no folder`, "move it away, or choose another --data-dir")];
  return [await checkRights(dataDir, stats), await checkSpace(dataDir)];
}

async function checkRights(dataDir: string, { uid, mode }: { uid: number; mode: number }): Promise<Check> {
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
      `run wireroom as user ${uid}: files of another user's are in the daemon's way`,
    );
  if (user !== undefined && (mode & 0o077) !== 0)
    return warn(
      NAME,
      `${dataDir} can be opened by other users (mode ${(mode & 0o777).toString(8)})`,
      `chmod 700 ${dataDir}: everybody's wires and the signing keys are in it`,
    );
  return ok(NAME, dataDir);
}

async function checkSpace(dataDir: string): Promise<Check> {
  try {
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const message = `${Math.floor(free / MIB)} MiB are free`;
    if (free < NOTHING) return fail("disk", message, "make room: writes are refused on a full disk");
    if (free < LITTLE) return warn("disk", message, "make room before writes are refused");
    return ok("disk", message);
  } catch (error) {
    return warn("disk", `the free space is not known: ${reasonOf(error)}`, `look with: df ${dataDir}`);
  }
}
