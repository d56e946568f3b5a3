/** The environment, standard streams and exit code of one run. Tests pass fakes instead of `process`. */
import { fstatSync, writeSync } from "node:fs";
import type { Command } from "commander";
import { EXIT } from "./exit-codes.js";

export interface ProcessIO {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** The command sets it when it ends. */
  exitCode?: typeof process.exitCode;
}

const ioByProgram = new WeakMap<Command, ProcessIO>();

export function setProcessIO(program: Command, io: ProcessIO): void {
  ioByProgram.set(program, io);
}

/** Returns the `ProcessIO` of the program that contains the command. Default: `process`. */
export function processIOOf(command: Command): ProcessIO {
  let root = command;
  while (root.parent) root = root.parent;
  return ioByProgram.get(root) ?? process;
}

/**
 * Ends the process if the reader of standard output closes the pipe, which is not an error: `wireroom inbox | head -1`.
 * @param isHandled returns whether the command handles a closed pipe itself
 */
export function exitOnClosedPipe(stdout: NodeJS.WriteStream, isHandled = () => false): void {
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (!isHandled()) process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed);
  });
}

/**
 * Makes standard output write all of a chunk to a file, or fail. Node's own stream for files writes once, and ignores that the
 * disk had room for a part only.
 */
export function writeWholeChunks(stdout: NodeJS.WriteStream & { fd?: number }): void {
  const { fd, isTTY } = stdout;
  if (fd === undefined || isTTY || !isFile(fd)) return;
  stdout._write = (chunk: Buffer, _encoding, done) => {
    try {
      for (let written = 0; written < chunk.length; ) written += writeSync(fd, chunk, written);
    } catch (error) {
      return done(error as Error);
    }
    done();
  };
}

/** Returns whether Node writes to it as to a file. Devices such as `/dev/full` count. */
function isFile(fd: number): boolean {
  const stats = fstatSync(fd);
  return stats.isFile() || stats.isCharacterDevice();
}
