import { open } from "node:fs/promises";
import type { Connection } from "./connection.js";
import { fileSizeBytes } from "./files.js";

const CHUNK_BYTES = 1024 * 1024;

/**
 * Rewrites and syncs the WAL that an earlier process left. If a sync failed in that process, Linux still
 * returns the pages to readers but never writes them to disk. After a power failure, all commits after such a
 * page would be lost, because SQLite reads a WAL only up to the first invalid frame. See Rebello et al., "Can
 * Applications Recover from fsync Failures?", USENIX ATC 2020.
 */
export async function rewriteWal(connection: Connection, file: string): Promise<void> {
  const wal = `${file}-wal`;
  if (!(await fileSizeBytes(wal))) return;
  // Only the holder of the write lock may change the WAL.
  await connection.exec("BEGIN IMMEDIATE");
  const handle = await open(wal, "r+");
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let position = 0; ; ) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) break;
      // A write may be short, so continue at the first unwritten byte.
      position += (await handle.write(chunk, 0, bytesRead, position)).bytesWritten;
    }
    await handle.sync();
  } finally {
    await handle.close();
    await connection.exec("ROLLBACK");
  }
}
