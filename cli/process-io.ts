/** The environment, standard streams and exit code of one run. Tests pass fakes instead of `process`. */
import { type BigIntStats, fstatSync, writeSync } from "node:fs";
import type { Command } from "commander";
import { EXIT } from "./exit-codes.js";

export interface ProcessIO {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Set by the command when it ends. */
  exitCode?: typeof process.exitCode;
}

const ioByProgram = new WeakMap<Command, ProcessIO>();

export function setProcessIO(program: Command, io: ProcessIO): void {
  ioByProgram.set(program, io);
}

export function processIOOf(command: Command): ProcessIO {
  return ioByProgram.get(rootOf(command)) ?? process;
}

export function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

/**
 * Options for write errors of standard output. `isHandled` returns true if the command handles them itself.
 * If `json` is true, errors are printed as JSON.
 */
interface OutputErrorOptions {
  isHandled?: () => boolean;
  json?: boolean;
}

/**
 * Ends the process if writing to standard output fails. If the reader has closed the pipe early, as
 * `head -1` does, this is not an error.
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

export function prepareStreams({ stdout, stderr }: NodeJS.Process): void {
  writeWholeChunks(stdout);
  // Ignore write errors of standard error, because notes do not affect the command's result.
  stderr.on("error", () => {});
}

/**
 * Makes standard output write whole chunks to a file, or fail. Node's own stream writes only once, and
 * ignores that a full disk accepted only part of a chunk.
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

/** Returns whether Node treats the descriptor as a file. This includes devices such as `/dev/full`. */
function isFile(fd: number): boolean {
  const stats = statsOf(fd);
  return stats.isFile() || stats.isCharacterDevice();
}

/**
 * Returns a descriptor's stats. Uses `bigint` because of a bug in Node 20: `fstat` and `realpathSync`
 * otherwise share an array. After `fstat` of a pipe, Node could then not resolve symbolic links to packages.
 */
export function statsOf(fd: number): BigIntStats {
  return fstatSync(fd, { bigint: true });
}
