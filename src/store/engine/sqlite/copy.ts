/** Copies a database file, even while a daemon writes to it. */
import { rm } from "node:fs/promises";
import { StoreRefused } from "../engine.js";
import { isWriteError } from "./errors.js";
import { createNew, fileSizeBytes, fsyncPath } from "./files.js";
import { inspectDatabase, integrityProblems, withReadOnlyConnection } from "./inspect.js";

export type OnProgress = (fraction: number) => void;

const PROGRESS_INTERVAL_MS = 200;

/**
 * Copies a snapshot of the committed data, without free pages, into the new file `to`, which only its owner
 * can read. When the promise resolves, the copy is on disk and has passed an integrity check. Throws
 * `StoreRefused` and deletes `to` if `from` is damaged or newer than this version of Wireroom, or if `to`
 * cannot be written. If the signal aborts, also deletes `to`.
 */
export async function copyDatabase(
  from: string,
  to: string,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<void> {
  const { isNewer, sizeBytes: bytes } = await inspectDatabase(from);
  if (isNewer) throw new StoreRefused(`${from} was written by a newer version of Wireroom; update Wireroom`);
  // The rollback journal of VACUUM INTO stays behind after a crash or on a full disk.
  const journal = `${to}-journal`;
  try {
    await rm(journal, { force: true });
    // VACUUM INTO keeps the permissions of an existing empty file.
    await createNew(to);
    const progressTimer = setInterval(() => {
      void fileSizeBytes(to).then(
        (size = 0) => onProgress(Math.min(size / bytes, 1)),
        () => undefined,
      );
    }, PROGRESS_INTERVAL_MS);
    try {
      await withReadOnlyConnection(from, (connection) => connection.run("VACUUM INTO ?", [to]), signal);
    } finally {
      clearInterval(progressTimer);
    }
    onProgress(1);
    await fsyncPath(to);
    const problems = await integrityProblems(to, signal);
    signal?.throwIfAborted();
    if (problems.length > 0) throw new StoreRefused(`${from} is damaged: ${problems.join("; ")}`);
  } catch (error) {
    for (const file of [to, journal]) await rm(file, { force: true });
    if (signal?.aborted) throw signal.reason;
    const cause = error instanceof StoreRefused ? error.cause : undefined;
    if (!isWriteError(cause)) throw error;
    throw new StoreRefused(`${to} cannot be written: ${cause.message}`, { cause });
  }
}
