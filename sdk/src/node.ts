/** What needs the file system of Node, Bun or Deno. It is a separate entry point, so that other programs can be bundled. */
import { readFile, rename, writeFile } from "node:fs/promises";
import type { CursorStore } from "./runtime/log/cursors.js";

/**
 * Returns a store that keeps cursors in a JSON file, for one process and one handle. A cursor survives the end of the
 * process once `set` has resolved. It is not flushed to the disk: after a power cut, an older cursor may be there, and wires come again.
 *
 * @param path the file; it is created if it is missing
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
  const load = () => (cursors ??= read(path));
  return {
    async get(key) {
      const stored = await load();
      return Object.hasOwn(stored, key) ? stored[key] : undefined;
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
    return JSON.parse(await readFile(path, "utf8")) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Error(`cannot read the cursors in ${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Replaces the file in one step, so that a crash leaves either the old or the new content. */
async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, path);
}
