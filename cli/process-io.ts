/** The environment, standard streams and exit code of one run. Tests pass fakes instead of `process`. */
import type { Command } from "commander";

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
