/** The SDK's entry point for features that need a file system. Browser bundles leave it out. */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { randomName } from "./runtime/clock.js";
import type { CursorStore } from "./runtime/log/cursors.js";

/**
 * Returns a store that keeps one handle's cursors in a JSON file. When `set` resolves, the cursor is on disk
 * and survives a crash. The store reads the file only once, so use one store per file, in one process: two
 * stores would overwrite each other's cursors.
 *
 * @param path the file, which is created if it is missing. The store's methods throw an error that names the
 *   file if the file cannot be read or written, or does not contain an object of strings
 * @example
 * ```ts
 * import { fileCursors } from "@wireroom/sdk/node";
 *
 * const cursors = fileCursors("cursors.json");
 * for await (const wire of wr.spaces.listen("ops", { cursors })) console.log(wire.text_body);
 * ```
 */
export function fileCursors(path: string): CursorStore {
  let cursors: Promise<Record<string, string>> | undefined;
  let lastWrite: Promise<void> = Promise.resolve();
  const load = () => {
    cursors ??= read(path).catch((error: unknown) => {
      // Let the next call read the file again, because someone may have repaired the file by then.
      cursors = undefined;
      throw error;
    });
    return cursors;
  };
  return {
    async get(key) {
      return (await load())[key];
    },
    async set(key, cursor) {
      const stored = await load();
      stored[key] = cursor;
      // Write one version at a time, because several loops may share the store.
      const write = lastWrite.then(() => replace(path, `${JSON.stringify(stored, null, 2)}\n`));
      lastWrite = write.catch(() => {});
      await write;
    },
  };
}

async function read(path: string): Promise<Record<string, string>> {
  try {
    return cursorsOf(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return cursorsOf({});
    throw new Error(`cannot read the cursors in ${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** The result has no prototype, so that `__proto__` is an ordinary key. */
function cursorsOf(content: unknown): Record<string, string> {
  const isObject = typeof content === "object" && content !== null && !Array.isArray(content);
  if (!isObject || Object.values(content).some((cursor) => typeof cursor !== "string")) {
    throw new TypeError("the content is not a JSON object of strings");
  }
  return Object.assign(Object.create(null) as Record<string, string>, content);
}

/**
 * After a crash, the file has either the old or the new content. The temporary file's name is random and `wx`
 * does not follow links, so no other user can redirect the write.
 */
async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomName()}.new`;
  try {
    await writeFile(draft, text, { flag: "wx", mode: 0o600, flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
