/** Checks and creates database files and their folders. */
import { access, constants, open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../../../kernel/make-folder.js";
import { StoreRefused } from "../engine.js";

export async function fileSizeBytes(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Only the file's owner can read it. An existing file stays unchanged. */
export async function createIfAbsent(file: string): Promise<void> {
  await (await open(file, "a", 0o600)).close();
}

export async function fsyncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates the folder of `file`. Throws `StoreRefused` if the folder or file is not writable, because SQLite
 * would open the file read-only and fail at the first write.
 */
export async function assertWritable(file: string): Promise<void> {
  const folder = dirname(file);
  try {
    makeFolder(folder, 0o700);
    await access(folder, constants.W_OK | constants.X_OK);
    await access(file, constants.R_OK | constants.W_OK).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  } catch (error) {
    const { message } = error as Error;
    const hint = "make it writable, or choose another data folder";
    throw new StoreRefused(`the data folder ${folder} cannot be written (${message}); ${hint}`, {
      cause: error,
    });
  }
}

/**
 * Throws `StoreRefused` if the file has several hard links. SQLite has a separate lock and write-ahead log
 * for each name, so two daemons could damage the file or miss each other's commits.
 */
export async function assertOneName(file: string): Promise<void> {
  const { nlink } = await stat(file);
  if (nlink <= 1) return;
  throw new StoreRefused(
    `the database ${file} has ${nlink} names (hard links), and a daemon under another one would damage it; remove the others, which ` +
      `find / -xdev -samefile ${file} lists`,
  );
}

/** Tells where a daemon's database is, for the message of `assertUsable`. */
export const DAEMON_DATABASE_HINT =
  "; use the --data-dir or --database-url of the daemon, and start the daemon once before";

/** Throws `StoreRefused` unless `file` exists, and this process may use it. */
export async function assertUsable(
  file: string,
  use: "read" | "read and write",
  hint: string = "",
): Promise<void> {
  try {
    if ((await stat(file)).isDirectory()) throw new StoreRefused(`${file} is a folder, not a database`);
    await access(file, use === "read" ? constants.R_OK : constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    const message = isMissing(error)
      ? `there is no database ${file}${hint}`
      : `this process may not ${use} the database ${file}; run the command as the user of the daemon`;
    throw new StoreRefused(message, { cause: error });
  }
}

/** Creates a file that only its owner can read. Throws `StoreRefused` if its folder does not permit that. */
export async function createNew(file: string): Promise<void> {
  try {
    await (await open(file, "wx", 0o600)).close();
  } catch (error) {
    const folder = dirname(file);
    const message = isMissing(error)
      ? `there is no folder ${folder}; create it, or choose another one`
      : `the folder ${folder} cannot be written (${(error as Error).message}); choose another one`;
    throw new StoreRefused(message, { cause: error });
  }
}
