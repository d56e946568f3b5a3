/** The environment, standard streams and exit code of one run. Tests pass fakes instead of `process`. */
import { type BigIntStats, fstatSync, writeSync } from "node:fs";
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

/** Errors of standard output that a command handles itself, and the form of the others. */
interface OutputErrorOptions {
  isHandled?: () => boolean;
  json?: boolean;
}

/**
 * Ends the process if standard output cannot be written. A reader that closes the pipe is not an error, as in
 * `wireroom inbox | head -1`.
 */
export function exitOnOutputError(
  { stdout, stderr }: Pick<ProcessIO, "stdout" | "stderr">,
  { isHandled, json }: OutputErrorOptions = {},
): void {
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (isHandled?.()) return;
    if (error.code === "EPIPE") process.exit(EXIT.ok);
    const message = outputErrorMessage(error);
    stderr.write(json ? `${JSON.stringify({ code: "FAILED", message })}\n` : `error ${message} (FAILED)\n`);
    process.exit(EXIT.failed);
  });
}

export function outputErrorMessage(error: Error): string {
  return `cannot write to standard output: ${error.message}`;
}

/** Prepares the streams of this process, before the command writes to them. */
export function prepareStreams({ stdout, stderr }: NodeJS.Process): void {
  writeWholeChunks(stdout);
  // A note that cannot be written changes nothing of what the command does.
  stderr.on("error", () => {});
}

/**
 * Makes standard output write all of a chunk to a file, or fail. Node's own stream writes once, and ignores
 * that the disk had room for a part only.
 */
function writeWholeChunks(stdout: NodeJS.WriteStream & { fd?: number }): void {
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
  const stats = statsOf(fd);
  return stats.isFile() || stats.isCharacterDevice();
}

/**
 * Asks for `bigint`, because the resolver of Node 20 follows no symbolic link to a package after the numbers
 * of a pipe were read: `realpathSync` looks at the last ones.
 */
export function statsOf(fd: number): BigIntStats {
  return fstatSync(fd, { bigint: true });
}
