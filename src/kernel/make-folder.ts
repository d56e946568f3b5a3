/** Creates folders. */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder and its parents, unless they exist. Use it for folders that users name: Node's recursive
 * `mkdir` never returns below an existing folder in which `mkdir` answers ENOENT, such as `/proc`.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const parent = dirname(folder);
    if (isFolder(folder)) return;
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || isFolder(parent) || parent === folder)
      throw error;
    makeFolder(parent, mode);
    makeFolder(folder, mode);
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
