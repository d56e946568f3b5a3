/** Stores which items were shown in a host's session. Does not change the inbox's checkpoint. */
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomHexName } from "../../clock.js";

export interface Shown {
  /** Ids of the items. */
  ids: string[];
  /** Number of times in a row that new wires made the agent continue at the end of its turn. */
  continuations: number;
  /** Whether the agent was already told that the inbox may have items that the hook cannot show. */
  isToldOfMore: boolean;
}

export const NOTHING_SHOWN: Shown = { ids: [], continuations: 0, isToldOfMore: false };

export interface SessionFile {
  folder: string;
  name: string;
}

const MOST_SESSIONS = 100;

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

/** Skips a file that cannot be deleted, because another hook may have deleted it at the same time. */
export async function forgetOldest(folder: string): Promise<void> {
  // Also find drafts, whose names have a second ending. A draft remains if its process was killed.
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

/** Returns the file's path. Its name contains a hash, because a session id may contain any characters. */
function pathOf({ folder, name }: SessionFile): string {
  const start = name.replace(/[^\w-]/g, "_").slice(0, 40);
  return join(folderOf(folder), `${start}-${createHash("sha256").update(name).digest("hex")}.json`);
}
