/** Reads and replaces configuration files of other applications, which may change them at the same time. */
import { chmod, copyFile, mkdir, readFile, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import { type FileAttributes, replaceFile } from "../../replace-file.js";
import { deferSignals } from "../../signals.js";

/** Attempts to change a file that another application writes meanwhile. */
const ATTEMPTS = 5;
const BYTE_ORDER_MARK = "\ufeff";

/** Returns the text of a file, or an empty text if the file does not exist. Throws a `Failure` if it is unreadable. */
export async function readConfig(file: string): Promise<string> {
  return (await read(file)).text;
}

export interface FileChange {
  /** Returns the new text. It is called again if another application has written the file meanwhile. */
  edit(text: string): string;
  /** Folder for the copy of the present file. */
  backupFolder: string;
  /** Start of the name of the copy. */
  backupPrefix: string;
  /** Mode of a new file. An existing file keeps its mode and its owner. */
  newMode: number;
}

/**
 * Changes a file atomically. Follows symbolic links, so that a link to a managed file stays a link.
 * @returns the path of the backup, or undefined if there was no file before
 */
export function changeConfig(file: string, change: FileChange): Promise<string | undefined> {
  return deferSignals(async () => {
    for (let attempt = 1; ; attempt++) {
      const before = await read(file);
      const text = `${before.mark}${change.edit(before.text)}`;
      const attributes = before.attributes ?? { mode: change.newMode };
      const isCurrent = async () => (await read(file)).bytes.equals(before.bytes);
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
  /** Byte order mark of the file, or an empty text. */
  mark: string;
  text: string;
  /** Undefined if the file does not exist. */
  attributes: FileAttributes | undefined;
}

async function read(file: string): Promise<ReadFile> {
  try {
    const path = await realpath(file);
    const [bytes, { mode, uid, gid }] = await Promise.all([readFile(path), stat(path)]);
    const decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const mark = decoded.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
    const attributes = { mode: mode & 0o7777, owner: { uid, gid } };
    return { path, bytes, mark, text: decoded.slice(mark.length), attributes };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      return {
        path: await targetOf(file),
        bytes: Buffer.alloc(0),
        mark: "",
        text: "",
        attributes: undefined,
      };
    throw new Failure("FAILED", `cannot read ${file}: ${message}`);
  }
}

/** Returns where a symbolic link without a file leads to, or the path itself. */
async function targetOf(file: string): Promise<string> {
  const target = await readlink(file).catch(() => undefined);
  if (target === undefined) return file;
  // A relative link starts from the folder that contains it, whose path may lead through links itself.
  return targetOf(resolve(await realpath(dirname(file)), target));
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
