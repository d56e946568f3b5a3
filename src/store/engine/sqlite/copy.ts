/** Copies a database file while a daemon may be writing to it. */
import { open, rm } from "node:fs/promises";
import { StoreRefused } from "../engine.js";
import { fileSizeBytes, fsyncPath } from "./files.js";
import { inspectDatabase, integrityProblems, withReadOnlyConnection } from "./inspect.js";

/** Progress callback. `fraction` is from 0 to 1. */
export type OnProgress = (fraction: number) => void;

const PROGRESS_INTERVAL_MS = 200;

/**
 * Copies a snapshot of the committed data into the new file `to`, without free pages. The file is readable only by its
 * owner. When the promise resolves, the copy is flushed to disk and has passed an integrity check. Throws `StoreRefused`
 * and deletes `to` if `from` is damaged or was written by a newer version of Wireroom. If the signal aborts, deletes `to` and
 * rejects with the signal's reason.
 */
export async function copyDatabase(
  from: string,
  to: string,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<void> {
  const { isNewer, sizeBytes: bytes } = await inspectDatabase(from);
  if (isNewer) throw new StoreRefused(`${from} was written by a newer version of Wireroom; update Wireroom`);
  try {
    // The file is created first, because VACUUM INTO keeps the permissions of an existing empty file.
    await (await open(to, "wx", 0o600)).close();
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
    await rm(to, { force: true });
    throw signal?.aborted ? signal.reason : error;
  }
}
