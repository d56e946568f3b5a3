/** What a run of the command gets from outside: those of the process, or those that a test gives it. */
import type { Command } from "commander";

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Set by what the command ends with. */
  exitCode?: typeof process.exitCode;
}

const surroundingsOfProgram = new WeakMap<Command, Surroundings>();

export function setSurroundings(program: Command, surroundings: Surroundings): void {
  surroundingsOfProgram.set(program, surroundings);
}

/** The surroundings of the program that a command belongs to. */
export function surroundingsOf(command: Command): Surroundings {
  let root = command;
  while (root.parent) root = root.parent;
  return surroundingsOfProgram.get(root) ?? process;
}
