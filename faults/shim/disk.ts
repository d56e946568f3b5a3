/**
 * Rebuilds the files of a folder as a power cut leaves them. Synced writes are on the disk. Of the others,
 * any part may be there, in any order, in units of sectors or pages.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Random } from "../../bench/data/random.js";
import type { FileRecord } from "./log.js";

const SECTOR_BYTES = 512;
const PAGE_BYTES = 4_096;

/** The fate of writes that were not synced. */
export type CutMode =
  /** None is on the disk. */
  | "lost"
  /** All are on the disk. */
  | "kept"
  /** The first ones are on the disk. The last of these is torn at a sector. */
  | "prefix"
  /** Each sector has any of its versions. */
  | "sectors"
  /** Each page has any of its versions. */
  | "pages";

export const CUT_MODES: readonly CutMode[] = ["lost", "kept", "prefix", "sectors", "pages"];

interface Change {
  /** Position in the log. */
  order: number;
  /** Offset of the data; of a truncation, the new size. */
  offset: number;
  data: Buffer | undefined;
  /** A sync of this write failed. The system does not write it again, so no later sync includes it. */
  isAbandoned?: boolean;
}

/** The synced content of a file, and the changes that were not synced. */
class DiskFile {
  synced: Buffer = Buffer.alloc(0);
  pending: Change[] = [];

  constructor(readonly inode: number) {}

  sync(until: number): void {
    let remaining: Change[] = [];
    for (const change of this.pending) {
      if (change.order > until || change.isAbandoned) remaining.push(change);
      else {
        this.synced = applied(this.synced, change);
        remaining = remaining.flatMap((abandoned) => outside(abandoned, change));
      }
    }
    this.pending = remaining;
  }

  /** Abandons written data. The size of the file is metadata, which the next successful sync includes. */
  abandon(until: number): void {
    for (const change of this.pending) if (change.data && change.order <= until) change.isAbandoned = true;
  }

  contentAfterCut(mode: CutMode, random: Random): Buffer {
    const { pending } = this;
    let content: Buffer = Buffer.from(this.synced);
    if (mode === "lost") return content;
    if (mode === "kept" || pending.length === 0) return pending.reduce(applied, content);
    if (mode === "prefix") {
      const count = random.below(pending.length);
      for (const change of pending.slice(0, count)) content = applied(content, change);
      return applied(content, torn(pending[count]!, random));
    }
    const unit = mode === "sectors" ? SECTOR_BYTES : PAGE_BYTES;
    const parts = pending.flatMap((change) => split(change, unit));
    const versions = new Map<number, number>();
    for (const { offset } of parts)
      versions.set(Math.floor(offset / unit), (versions.get(Math.floor(offset / unit)) ?? 0) + 1);
    const kept = new Map([...versions].map(([place, count]) => [place, random.below(count + 1)]));
    for (const part of parts) {
      const place = Math.floor(part.offset / unit);
      const left = kept.get(place)!;
      if (left === 0) continue;
      kept.set(place, left - 1);
      content = applied(content, part);
    }
    return content;
  }
}

function applied(content: Buffer, { offset, data }: Change): Buffer {
  if (!data) {
    const changed = Buffer.alloc(offset);
    content.copy(changed, 0, 0, Math.min(offset, content.length));
    return changed;
  }
  const end = offset + data.length;
  let grown = content;
  if (end > content.length) {
    // A buffer of the file's size within a larger one, so that a file that grows is not copied each time.
    const room = content.buffer.byteLength - content.byteOffset;
    if (end <= room) grown = Buffer.from(content.buffer, content.byteOffset, end);
    else {
      grown = Buffer.from(new ArrayBuffer(end * 2), 0, end);
      content.copy(grown);
    }
    grown.fill(0, content.length, offset > content.length ? offset : content.length);
  }
  data.copy(grown, offset);
  return grown;
}

/** Returns the parts of an abandoned write that a later, synced change has not overwritten. */
function outside(abandoned: Change, { order, offset, data }: Change): Change[] {
  if (!abandoned.isAbandoned || abandoned.order > order || !abandoned.data) return [abandoned];
  const end = data ? offset + data.length : Number.POSITIVE_INFINITY;
  const abandonedEnd = abandoned.offset + abandoned.data.length;
  const parts: Change[] = [];
  if (abandoned.offset < offset)
    parts.push({ ...abandoned, data: abandoned.data.subarray(0, offset - abandoned.offset) });
  if (abandonedEnd > end) {
    const from = Math.max(end, abandoned.offset);
    parts.push({ ...abandoned, offset: from, data: abandoned.data.subarray(from - abandoned.offset) });
  }
  return parts;
}

function torn(change: Change, random: Random): Change {
  const { data } = change;
  if (!data) return change;
  const sectors = Math.ceil(data.length / SECTOR_BYTES);
  return { ...change, data: data.subarray(0, random.below(sectors + 1) * SECTOR_BYTES) };
}

/** Splits a write at the boundaries of the units. */
function split(change: Change, unit: number): Change[] {
  const { offset, data } = change;
  if (!data) return [change];
  const parts: Change[] = [];
  for (let from = offset; from < offset + data.length; ) {
    const to = Math.min((Math.floor(from / unit) + 1) * unit, offset + data.length);
    parts.push({ ...change, offset: from, data: data.subarray(from - offset, to - offset) });
    from = to;
  }
  return parts;
}

/** A change of the folder's entries. */
interface EntryChange {
  order: number;
  apply(entries: Map<string, DiskFile>): void;
}

/** The disk of one folder at a moment of the log. */
export class Disk {
  private readonly files = new Map<number, DiskFile>();
  /** Entries that are on the disk, by name, and changes of entries that may not be. */
  private entries = new Map<string, DiskFile>();
  private pendingEntries: EntryChange[] = [];
  private folderInode: number | undefined;
  private readonly syncs = new Map<bigint, number>();
  private order = 0;

  constructor(private readonly folder: string) {}

  /** Returns the disk of a folder whose files are all synced. */
  static of(folder: string): Disk {
    const disk = new Disk(folder);
    for (const name of readdirSync(folder)) {
      const file = new DiskFile(statSync(join(folder, name)).ino);
      file.synced = readFileSync(join(folder, name));
      disk.files.set(file.inode, file);
      disk.entries.set(name, file);
    }
    return disk;
  }

  apply(record: FileRecord): void {
    const order = ++this.order;
    switch (record.kind) {
      case "open":
        this.open(record, order);
        return;
      case "write":
        this.fileOf(record.inode).pending.push({ order, offset: record.offset, data: record.data });
        return;
      case "truncate":
        this.fileOf(record.inode).pending.push({ order, offset: record.size, data: undefined });
        return;
      case "sync-start":
        this.syncs.set(record.token, order);
        return;
      case "sync-end":
        this.synced(record.inode, this.syncs.get(record.token)!);
        return;
      case "sync-failed":
        if (record.inode !== this.folderInode)
          this.fileOf(record.inode).abandon(this.syncs.get(record.token)!);
        return;
      case "unlink": {
        const name = basename(record.path);
        this.pendingEntries.push({ order, apply: (entries) => void entries.delete(name) });
        return;
      }
      case "rename": {
        const [from, to] = [basename(record.path), basename(record.to)];
        this.pendingEntries.push({
          order,
          apply: (entries) => {
            const file = entries.get(from);
            entries.delete(from);
            if (file) entries.set(to, file);
          },
        });
      }
    }
  }

  /** Writes the files as a power cut at this moment leaves them. */
  writeAfterCut(target: string, mode: CutMode, random: Random): void {
    mkdirSync(target, { recursive: true, mode: 0o700 });
    const entries = new Map(this.entries);
    const changes = { lost: 0, kept: this.pendingEntries.length }[mode as string];
    const count = changes ?? random.below(this.pendingEntries.length + 1);
    for (const change of this.pendingEntries.slice(0, count)) change.apply(entries);
    for (const [name, file] of entries)
      writeFileSync(join(target, name), file.contentAfterCut(mode, random), { mode: 0o600 });
  }

  private open({ path, inode, isNew, isTruncated }: FileRecord & { kind: "open" }, order: number): void {
    if (path === this.folder) {
      this.folderInode = inode;
      return;
    }
    if (isNew || !this.files.has(inode)) {
      const file = new DiskFile(inode);
      this.files.set(inode, file);
      this.pendingEntries.push({ order, apply: (entries) => void entries.set(basename(path), file) });
    }
    if (isTruncated) this.fileOf(inode).pending.push({ order, offset: 0, data: undefined });
  }

  private synced(inode: number, until: number): void {
    if (inode !== this.folderInode) {
      this.fileOf(inode).sync(until);
      return;
    }
    const remaining = this.pendingEntries.filter(({ order }) => order > until);
    for (const change of this.pendingEntries) if (change.order <= until) change.apply(this.entries);
    this.pendingEntries = remaining;
  }

  private fileOf(inode: number): DiskFile {
    const file = this.files.get(inode);
    if (!file) throw new Error(`the log of the shim changes an unknown file, inode ${inode}`);
    return file;
  }
}
