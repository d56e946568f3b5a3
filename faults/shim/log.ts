/** Reads the log of the shim (`shim.c`). */
import { readFileSync } from "node:fs";

const HEAD_BYTES = 40;

export type FileRecord = { timeMs: number } & (
  | { kind: "open"; path: string; inode: number; isNew: boolean; isTruncated: boolean }
  | { kind: "write"; inode: number; offset: number; data: Buffer }
  | { kind: "truncate"; inode: number; size: number }
  | { kind: "sync-start" | "sync-end" | "sync-failed"; inode: number; token: bigint }
  | { kind: "unlink"; path: string }
  | { kind: "rename"; path: string; to: string }
);

const SYNC_KINDS = { 4: "sync-start", 5: "sync-end", 6: "sync-failed" } as const;

export function readLog(file: string): FileRecord[] {
  const bytes = readFileSync(file);
  const records: FileRecord[] = [];
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const nameEnd = at + HEAD_BYTES + bytes.readUInt32LE(at + 4);
    const end = nameEnd + bytes.readUInt32LE(at + 8);
    if (end > bytes.length) break;
    const path = bytes.toString("utf8", at + HEAD_BYTES, nameEnd);
    const data = bytes.subarray(nameEnd, end);
    records.push(parse(bytes, at, path, data));
    at = end;
  }
  return records;
}

function parse(bytes: Buffer, at: number, path: string, data: Buffer): FileRecord {
  const kind = bytes.readUInt32LE(at);
  const timeMs = Number(bytes.readBigUInt64LE(at + 16)) / 1e6;
  const inode = Number(bytes.readBigUInt64LE(at + 24));
  const position = bytes.readBigUInt64LE(at + 32);
  const number = Number(position);
  switch (kind) {
    case 1:
      return { kind: "open", timeMs, path, inode, isNew: (number & 1) > 0, isTruncated: (number & 2) > 0 };
    case 2:
      return { kind: "write", timeMs, inode, offset: number, data };
    case 3:
      return { kind: "truncate", timeMs, inode, size: number };
    case 4:
    case 5:
    case 6:
      return { kind: SYNC_KINDS[kind], timeMs, inode, token: position };
    case 7:
      return { kind: "unlink", timeMs, path };
    case 8:
      return { kind: "rename", timeMs, path, to: data.toString() };
    default:
      throw new Error(`the log of the shim has a record of kind ${kind}`);
  }
}
