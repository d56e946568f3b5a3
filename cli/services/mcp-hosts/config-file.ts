/** Reads and changes configuration files of other applications, which may write them at the same time. */
import { chmod, copyFile, mkdir, readFile, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import { type FileAttributes, replaceFile } from "../../replace-file.js";
import { deferSignals } from "../../signals.js";

const ATTEMPTS = 5;
const BYTE_ORDER_MARK = "\ufeff";

export interface ConfigFile {
  file: string;
  /**
   * The project's folder. It must contain the file after symbolic links are resolved, because an untrusted
   * project could link to the user's own files. Undefined for a file of the user.
   */
  project: string | undefined;
}

export async function readConfig(config: ConfigFile): Promise<string> {
  return (await read(config)).text;
}

export interface FileChange {
  /** Returns the new text. Called again if another application has written the file in the meantime. */
  edit(text: string): string;
  backupFolder: string;
  backupPrefix: string;
  /** File mode of a new file. An existing file keeps its mode and owner. */
  newMode: number;
}

/**
 * Changes a file atomically. Follows symbolic links, so that a link to a managed file stays a link. Throws a
 * `Failure` if a link leads out of the project.
 * @returns the backup's path, or undefined if the file did not exist
 */
export function changeConfig(config: ConfigFile, change: FileChange): Promise<string | undefined> {
  const { file } = config;
  return deferSignals(async () => {
    for (let attempt = 1; ; attempt++) {
      const before = await read(config);
      const text = `${before.mark}${change.edit(before.text)}`;
      const attributes = before.attributes ?? { mode: change.newMode };
      const isCurrent = async () => (await read(config)).bytes.equals(before.bytes);
      try {
        const backup = before.attributes && (await backUp(before.path, change, before.attributes));
        await mkdir(dirname(before.path), { recursive: true });
        if (await replaceFile(before.path, text, attributes, isCurrent)) return backup;
      } catch (error) {
        throw new Failure("FAILED", `cannot write ${file}: ${(error as Error).message}`);
      }
      if (attempt === ATTEMPTS)
        throw new Failure("FAILED", `another application keeps changing ${file}`, [
          "Close that application and run the command again.",
        ]);
    }
  });
}

interface ReadFile {
  /** Path without symbolic links. */
  path: string;
  bytes: Buffer;
  /** The file's byte order mark, or "". */
  mark: string;
  text: string;
  /** Undefined if the file does not exist. */
  attributes: FileAttributes | undefined;
}

async function read({ file, project }: ConfigFile): Promise<ReadFile> {
  const path = await withoutLinks(file).catch((error: Error) => {
    throw new Failure("FAILED", `cannot read ${file}: ${error.message}`);
  });
  if (project !== undefined) await assertInside(project, file, path);
  try {
    const [bytes, { mode, uid, gid }] = await Promise.all([readFile(path), stat(path)]);
    const decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const mark = decoded.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
    const attributes = { mode: mode & 0o7777, owner: { uid, gid } };
    return { path, bytes, mark, text: decoded.slice(mark.length), attributes };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { path, bytes: Buffer.alloc(0), mark: "", text: "", attributes: undefined };
    throw new Failure("FAILED", `cannot read ${file}: ${message}`);
  }
}

async function assertInside(project: string, file: string, path: string): Promise<void> {
  const inside = relative(await withoutLinks(project), path);
  if (inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) return;
  throw new Failure(
    "FAILED",
    `cannot change ${file}: a symbolic link leads to ${path}, which is outside the project ${project}`,
    ["Nothing was changed. Remove the link, or leave out --project to change your own configuration."],
  );
}

async function withoutLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    const folder = await withoutLinks(dirname(path));
    // A relative link is relative to the folder that contains it.
    const target = await readlink(path).catch(() => undefined);
    return target === undefined ? join(folder, basename(path)) : withoutLinks(resolve(folder, target));
  }
}

async function backUp(
  path: string,
  { backupFolder, backupPrefix }: FileChange,
  { mode }: FileAttributes,
): Promise<string> {
  await mkdir(backupFolder, { recursive: true, mode: 0o700 });
  const time = new Date(now()).toISOString().replaceAll(":", "-");
  const backup = join(backupFolder, `${backupPrefix}-${time}-${basename(path).replace(/^\./, "")}`);
  await copyFile(path, backup);
  await chmod(backup, mode & 0o600);
  return backup;
}
