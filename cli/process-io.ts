/** The environment, standard streams and exit code of one run. Tests pass fakes instead of `process`. */
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
