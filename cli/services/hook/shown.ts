/** Remembers what a session of a host has been shown, in a small file of its own. The checkpoint of the inbox stays where it is. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface Shown {
  /** Ids of the items. */
  ids: string[];
  /** How often in a row the end of a turn was answered with new wires. */
  continuations: number;
}

export interface SessionFile {
  /** The folder of the profiles. */
  folder: string;
  /** Identifies the session. */
  name: string;
}

const MOST_SESSIONS = 100;

/** Returns what the session has been shown. A missing or damaged file means nothing. */
export async function readShown(session: SessionFile): Promise<Shown> {
  try {
    const { ids, continuations } = JSON.parse(await readFile(pathOf(session), "utf8")) as Shown;
    return { ids: ids.filter((id) => typeof id === "string"), continuations: Number(continuations) || 0 };
  } catch {
    return { ids: [], continuations: 0 };
  }
}

/** Replaces what the session has been shown. Rejects if the file cannot be written. */
export async function rememberShown(session: SessionFile, shown: Shown): Promise<void> {
  const file = pathOf(session);
  const draft = `${file}.${process.pid}`;
  const text = JSON.stringify(shown);
  try {
    await writeFile(draft, text, { mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(folderOf(session), { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600 });
  }
  await rename(draft, file);
  await deleteOldest(folderOf(session));
}

async function deleteOldest(folder: string): Promise<void> {
  const files = (await readdir(folder)).map((name) => join(folder, name));
  if (files.length <= MOST_SESSIONS) return;
  const aged = await Promise.all(files.map(async (file) => ({ file, ageMs: (await stat(file)).mtimeMs })));
  aged.sort((one, other) => other.ageMs - one.ageMs);
  await Promise.all(aged.slice(MOST_SESSIONS / 2).map(({ file }) => rm(file, { force: true })));
}

function folderOf({ folder }: SessionFile): string {
  return join(folder, "hooks");
}

/** Returns the path of the file. Ids of sessions are UUIDs, but a host could use any text. */
function pathOf(session: SessionFile): string {
  const name = session.name.replace(/[^\w-]/g, "_").slice(0, 150);
  return join(folderOf(session), `${name}.json`);
}
