import { open, stat } from "node:fs/promises";

/** Returns the size of a file, or undefined if it does not exist. */
export async function fileSizeBytes(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Creates an empty file that only its owner can read. An existing file stays as it is. */
export async function createIfAbsent(file: string): Promise<void> {
  await (await open(file, "a", 0o600)).close();
}

/** Flushes a file, or the entries of a folder, to disk. */
export async function fsyncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
