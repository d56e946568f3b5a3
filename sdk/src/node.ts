/**
 * The part of the SDK that needs the file system of Node, Bun or Deno. Programs for browsers are bundled
 * without it.
 */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { randomName } from "./runtime/clock.js";
import type { CursorStore } from "./runtime/log/cursors.js";

/**
 * Returns a store that keeps cursors in a JSON file, for one process and one handle. A cursor is on the disk
 * when `set` resolves, also if the process is killed afterwards. The file is read once: create one store for
 * each file, and use it in one process, because two stores overwrite each other's cursors.
 *
 * @param path the file; it is created if it is missing. The store's methods throw an error that names the
 *   file if it cannot be read or written, or if its content is not an object of strings
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
      // The next call reads the file again, because somebody may have repaired it.
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
      // Several loops may share the store, so writes take turns.
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

/**
 * Returns the cursors in an object without a prototype, so that a key such as `__proto__` is like any other.
 */
function cursorsOf(content: unknown): Record<string, string> {
  const isObject = typeof content === "object" && content !== null && !Array.isArray(content);
  if (!isObject || Object.values(content).some((cursor) => typeof cursor !== "string")) {
    throw new TypeError("the content is not a JSON object of strings");
  }
  return Object.assign(Object.create(null) as Record<string, string>, content);
}

/**
 * Replaces the file in one step, so that a crash leaves either the old or the new content. Others who may
 * write to the folder cannot know the name of the draft, and `wx` follows no link.
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
