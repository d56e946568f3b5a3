import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { randomHexName } from "./clock.js";

/** Without an owner, the file belongs to this process's user. */
export interface FileAttributes {
  mode: number;
  owner?: { uid: number; gid: number } | undefined;
}

/**
 * Replaces a file atomically: writes a draft beside the file, and renames it. The draft's name is random,
 * because in a stranger's repository, somebody could have placed a symbolic link with a known name.
 * @param isCurrent called before the replacement; if it resolves to false, the function keeps the old file
 *   and returns false
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

/** If the file cannot keep its owner and group, its new group gets only the permissions of other users. */
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
  // Set the mode again, because the umask may have removed permissions.
  await handle.chmod(mode);
  if (owner !== undefined) await keepOwner(handle, mode, owner);
  await handle.writeFile(text);
  await handle.sync();
}
