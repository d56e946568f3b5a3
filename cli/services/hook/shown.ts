/** Remembers in a small file what a session of a host was shown. The inbox's checkpoint stays where it is. */
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomHexName } from "../../clock.js";

export interface Shown {
  /** Ids of the items. */
  ids: string[];
  /** How often in a row the end of a turn was answered with new wires. */
  continuations: number;
  /** The session knows that items may follow which the hook cannot show. */
  isToldOfMore: boolean;
}

export const NOTHING_SHOWN: Shown = { ids: [], continuations: 0, isToldOfMore: false };

export interface SessionFile {
  folder: string;
  name: string;
}

const MOST_SESSIONS = 100;

/** Returns what the session has been shown. A missing or damaged file means nothing. */
export async function readShown(session: SessionFile): Promise<Shown> {
  try {
    const shown = JSON.parse(await readFile(pathOf(session), "utf8")) as Shown;
    return {
      ids: shown.ids.filter((id) => typeof id === "string"),
      continuations: Number(shown.continuations) || 0,
      isToldOfMore: shown.isToldOfMore === true,
    };
  } catch {
    return NOTHING_SHOWN;
  }
}

/** Replaces what the session has been shown. Rejects if the file cannot be written. */
export async function rememberShown(session: SessionFile, shown: Shown): Promise<void> {
  const file = pathOf(session);
  const draft = `${file}.${randomHexName()}`;
  const text = JSON.stringify(shown);
  try {
    await writeFile(draft, text, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(folderOf(session.folder), { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600, flag: "wx" });
  }
  await rename(draft, file);
}

/**
 * Deletes the oldest sessions' files if there are many. Other hooks change the folder at the same time, so a
 * file that cannot be examined or deleted is left.
 */
export async function forgetOldest(folder: string): Promise<void> {
  // The second ending is that of a draft, which stays if its process was killed.
  const names = (await readdir(folderOf(folder))).filter((name) => /\.json(?:\.[\da-f]+)?$/.test(name));
  if (names.length <= MOST_SESSIONS) return;
  const files = names.map((name) => join(folderOf(folder), name));
  const aged = await Promise.all(
    files.map((file) =>
      lstat(file)
        .then(({ mtimeMs }) => [{ file, mtimeMs }])
        .catch(() => []),
    ),
  );
  const oldest = aged
    .flat()
    .sort((one, other) => other.mtimeMs - one.mtimeMs)
    .slice(MOST_SESSIONS / 2);
  await Promise.allSettled(oldest.map(({ file }) => rm(file)));
}

function folderOf(folder: string): string {
  return join(folder, "hooks");
}

/** A host could use any text as the id of a session, so the name is a hash after a readable part. */
function pathOf({ folder, name }: SessionFile): string {
  const start = name.replace(/[^\w-]/g, "_").slice(0, 40);
  return join(folderOf(folder), `${start}-${createHash("sha256").update(name).digest("hex")}.json`);
}
