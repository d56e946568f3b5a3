/**
 * Detects commits that the write-ahead log (WAL) lost after a daemon was killed. SQLite cannot detect this
 * loss, because a WAL that ends early is still valid. But SQLite updates the WAL index (`-shm`) after it has
 * synced the WAL, so the killed daemon's index still names the last commit. The next process that opens the
 * database rebuilds the index. So this module reads the index before that, and records the result in the
 * marker file. Formats: https://www.sqlite.org/walformat.html
 */
import { open } from "node:fs/promises";
import { fileSizeBytes } from "./files.js";
import { isFileLocked } from "./lock.js";
import { readMarker, writeMarker } from "./marker.js";

/**
 * The WAL index starts with two copies of its header, followed by the number of frames that are already in
 * the database file.
 */
const INDEX_BYTES = 100;
const HEADER_BYTES = 48;
const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * If the last daemon was killed, records in the marker file which commits the WAL has lost. Must run before
 * any connection opens the file.
 * @param isLocked whether this process holds the lock; otherwise, another daemon may be running
 */
export async function recordLostLog(file: string, isLocked: boolean): Promise<void> {
  const marker = await readMarker(file);
  if (!marker?.running || (!isLocked && (await isFileLocked(file)))) return;
  const lostLog = await findLostLog(file);
  const { running: _, ...rest } = marker;
  await writeMarker(file, lostLog === undefined ? rest : { ...rest, lostLog, isLostLogKnown: false }, true);
}

/** Returns undefined if no loss is found. */
async function findLostLog(file: string): Promise<string | undefined> {
  const wal = `${file}-wal`;
  // Without an index, nothing proves a loss, because another program may have merged the WAL into the
  // database file.
  const last = lastCommitOf(await read(`${file}-shm`, 0, INDEX_BYTES));
  if (!last) return undefined;
  const sizeBytes = (await fileSizeBytes(wal)) ?? 0;
  const { frames, framesInFile, frameBytes, salt, checksum } = last;
  const describe = (lost: number) =>
    lost > 0 ? `${lost} of ${frames} pages of its write-ahead log` : undefined;
  const walSalt = (await read(wal, 0, WAL_HEADER_BYTES)).subarray(16, 24);
  if (!walSalt.equals(salt)) {
    // The salt's first half counts how often the WAL was restarted. After a power failure, the index may be
    // older than the WAL and proves nothing.
    const isNewer = walSalt.length === 8 && ((walSalt.readInt32BE() - salt.readInt32BE()) | 0) > 0;
    return isNewer ? undefined : describe(frames - framesInFile);
  }
  const present = Math.floor((sizeBytes - WAL_HEADER_BYTES) / frameBytes);
  // SQLite prefers the WAL's frames over the database file, even if the file has later pages.
  if (present < frames) return describe(frames - Math.max(present, present === 0 ? framesInFile : 0));
  const frame = await read(wal, WAL_HEADER_BYTES + (frames - 1) * frameBytes, FRAME_HEADER_BYTES);
  return frame.subarray(8).equals(Buffer.concat([salt, checksum]))
    ? undefined
    : describe(frames - framesInFile);
}

interface LastCommit {
  /** A frame is a page with a header. */
  frames: number;
  framesInFile: number;
  frameBytes: number;
  /** All frames have the same salt until the WAL is overwritten from its start. */
  salt: Buffer;
  /** Checksum over all frames up to the last one. */
  checksum: Buffer;
}

/** Returns undefined if the index is incomplete or names no commit. */
function lastCommitOf(index: Buffer): LastCommit | undefined {
  const header = index.subarray(0, HEADER_BYTES);
  if (index.length < INDEX_BYTES || !header.equals(index.subarray(HEADER_BYTES, 2 * HEADER_BYTES)))
    return undefined;
  // The index uses the machine's byte order, except for the salt.
  const bytes = new DataView(Uint8Array.from(index).buffer);
  const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  const integer = (offset: number) => bytes.getUint32(offset, isLittleEndian);
  const isInitialized = bytes.getUint8(12) === 1;
  const frames = integer(16);
  if (!isInitialized || frames === 0) return undefined;
  const pageBytes = bytes.getUint16(14, isLittleEndian);
  const checksum = Buffer.alloc(8);
  checksum.writeUInt32BE(integer(24), 0);
  checksum.writeUInt32BE(integer(28), 4);
  return {
    frames,
    framesInFile: integer(96),
    // SQLite stores a page size of 65,536 as 1.
    frameBytes: FRAME_HEADER_BYTES + (pageBytes === 1 ? 65_536 : pageBytes),
    salt: Buffer.from(index.subarray(32, 40)),
    checksum,
  };
}

/** Returns fewer bytes if the file ends early, and no bytes if it does not exist. */
async function read(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await open(file, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!handle) return Buffer.alloc(0);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
