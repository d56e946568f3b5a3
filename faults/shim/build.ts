/** Compiles the library that records and fails the file operations of a daemon. */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const source = join(dirname(createRequire(import.meta.url).resolve("#package.json")), "faults/shim/shim.c");

let library: string | undefined;

/** Returns why the library cannot be used, or undefined. */
export function shimUnavailable(): string | undefined {
  if (process.platform !== "linux") return "it needs Linux";
  try {
    execFileSync("cc", ["--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "it needs a C compiler, cc";
  }
}

function compiledShim(): string {
  if (!library) {
    library = join(mkdtempSync(join(tmpdir(), "wireroom-shim-")), "shim.so");
    execFileSync("cc", [
      "-O2",
      "-Wall",
      "-Werror",
      "-shared",
      "-fPIC",
      "-o",
      library,
      source,
      "-ldl",
      "-lpthread",
    ]);
  }
  return library;
}

export interface ShimOptions {
  /** The data folder of the daemon, without symbolic links. */
  folder: string;
  /** File for the log of all changes. */
  log?: string;
  control?: FaultControl;
}

/** Returns the environment of a daemon whose files the shim watches. */
export function shimEnv({ folder, log, control }: ShimOptions): Record<string, string> {
  return {
    LD_PRELOAD: compiledShim(),
    FAULTS_FOLDER: folder,
    ...(log && { FAULTS_LOG: log }),
    ...(control && { FAULTS_CONTROL: control.file }),
  };
}

/** Error numbers of Linux. */
export const ERRNO = { EIO: 5, ENOSPC: 28, EROFS: 30 } as const;

export interface FileFaults {
  /** Error of writes, once `bytesLeft` more bytes have been written. */
  write?: keyof typeof ERRNO;
  bytesLeft?: number;
  sync?: keyof typeof ERRNO;
  files?: "database" | "wal" | "both" | "all";
}

const FILES = { database: 1, wal: 2, both: 3, all: 7 };

/** Makes the writes and syncs of a running daemon fail. */
export class FaultControl {
  constructor(readonly file: string) {
    this.set({});
  }

  set({ write, bytesLeft = 0, sync, files = "both" }: FileFaults): void {
    const fields = Int32Array.of(
      write ? ERRNO[write] : 0,
      sync ? ERRNO[sync] : 0,
      bytesLeft,
      FILES[files],
      0,
    );
    // Write into the existing file, because the daemon has mapped it into memory.
    const descriptor = openSync(this.file, "a+");
    closeSync(descriptor);
    const writer = openSync(this.file, "r+");
    writeSync(writer, new Uint8Array(fields.buffer), 0, fields.byteLength, 0);
    closeSync(writer);
  }
}
