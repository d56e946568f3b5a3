import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { randomHexName } from "./clock.js";

/** Mode and owner of the new file. Without an owner, the file belongs to the user of this process. */
export interface FileAttributes {
  mode: number;
  owner?: { uid: number; gid: number } | undefined;
}

/**
 * Replaces a file atomically. The folder may belong to somebody else, such as the author of a repository, so
 * the draft has a name that nobody can know: no link leads the content elsewhere.
 * @param isCurrent called before the replacement; if it resolves to false, the file stays, and so does the
 *   result
 */
export async function replaceFile(
  file: string,
  text: string,
  { mode, owner }: FileAttributes,
  isCurrent: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  const draft = `${file}.${randomHexName()}.new`;
  const handle = await open(draft, "wx", mode);
  try {
    try {
      await write(handle, text, { mode, owner });
    } finally {
      await handle.close();
    }
    if (!(await isCurrent())) {
      await rm(draft);
      return false;
    }
    await rename(draft, file);
    return true;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Gives the file its owner and group. If the user may not, the group gets no more than everybody. */
async function keepOwner(
  handle: FileHandle,
  mode: number,
  { uid, gid }: NonNullable<FileAttributes["owner"]>,
): Promise<void> {
  const own = await handle.stat();
  if (own.uid === uid && own.gid === gid) return;
  try {
    await handle.chown(uid, gid);
  } catch (error) {
    if (own.uid !== uid) throw error;
    await handle.chmod((mode & ~0o070) | ((mode & 0o007) << 3));
  }
}

async function write(handle: FileHandle, text: string, { mode, owner }: FileAttributes): Promise<void> {
  // The umask may have taken permissions from the new file.
  await handle.chmod(mode);
  if (owner !== undefined) await keepOwner(handle, mode, owner);
  await handle.writeFile(text);
  await handle.sync();
}
