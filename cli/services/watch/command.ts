/** Runs a command for an item, in a process group of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { sleep } from "../../clock.js";
import { signalGroup } from "./processes.js";

/** A program with its arguments, or a line for the shell. Neither contains a part of an item. */
export type CommandLine = { program: string; args: readonly string[] } | { shell: string };

export interface CommandRun {
  env: NodeJS.ProcessEnv;
  input: string;
  /** Collects standard output. Otherwise it goes where `output` says. */
  collects: boolean;
  /** The file descriptor for standard output. Standard error goes to standard error. */
  output: number;
  timeoutMs: number | undefined;
  signal: AbortSignal;
  /** Called with the id of the process before the command runs. If it throws, the command does not run. */
  onStart(pid: number): void;
}

/** How a command has ended. */
export interface CommandEnd {
  /** Null if a signal has ended the command. */
  exitCode: number | null;
  /** Why the command does not count as successful, or undefined. */
  failure: string | undefined;
  stdout: Buffer;
}

/** Time for the processes of a command to end after SIGTERM. Then they are killed. */
const KILL_AFTER_MS = 5_000;
/** A forked process may keep standard output open, so it is read only for this time after the end. */
const DRAIN_MS = 250;
/** More than a wire can contain. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** The process groups that run now. They end with this process, also after a second signal. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) signalCommand(child, "SIGKILL");
});

/** Runs the command. Rejects only if `onStart` throws: a command that cannot be started has failed too. */
export async function runCommand(line: CommandLine, run: CommandRun): Promise<CommandEnd> {
  const output = new BoundedOutput();
  let child: ChildProcess;
  try {
    child = start(line, run);
  } catch (error) {
    return { exitCode: null, failure: startFailure(error), stdout: output.bytes };
  }
  try {
    if (child.pid !== undefined) run.onStart(child.pid);
  } catch (error) {
    // The process still waits at the gate, and would keep this process alive.
    signalCommand(child, "SIGKILL");
    throw error;
  }
  running.add(child);
  let reason: string | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  const stop = (why: string) => {
    reason ??= why;
    signalCommand(child, "SIGTERM");
    killTimer ??= setTimeout(() => signalCommand(child, "SIGKILL"), KILL_AFTER_MS);
  };
  const { timeoutMs } = run;
  const timer = timeoutMs && setTimeout(() => stop(`timed out after ${timeoutMs / 1_000} s`), timeoutMs);
  const abort = () => stop("was stopped");
  run.signal.addEventListener("abort", abort, { once: true });
  if (run.signal.aborted) abort();
  try {
    child.stdout?.on("data", (chunk: Buffer) => output.add(chunk));
    // The command may end before it has read its input.
    child.stdin!.on("error", () => {});
    child.stdin!.end(run.input);
    openGate(child);
    const { exitCode, signal } = await endOf(child);
    if (child.stdout) await drained(child.stdout);
    if (output.isTooLong) reason ??= `wrote more than ${MAX_OUTPUT_BYTES} bytes`;
    const failure = reason ?? (exitCode === 0 ? undefined : endText(exitCode, signal));
    // Ends the processes that a failed command has left behind, because they could disturb the next attempt.
    if (failure !== undefined) signalCommand(child, "SIGKILL");
    return { exitCode, failure, stdout: output.bytes };
  } catch (error) {
    return { exitCode: null, failure: startFailure(error), stdout: output.bytes };
  } finally {
    clearTimeout(timer);
    clearTimeout(killTimer);
    run.signal.removeEventListener("abort", abort);
    running.delete(child);
    child.stdout?.destroy();
  }
}

/** Waits for a line, and then becomes the command, which does not run if this process is killed before. */
const GATE = 'IFS= read -r go <&3 || exit 125; exec "$@" 3<&-';

function start(line: CommandLine, { env, collects, output }: CommandRun): ChildProcess {
  const stdio = ["pipe", collects ? "pipe" : output, "inherit"] as const;
  // Windows has no process groups, and no shell of this kind.
  if (process.platform === "win32")
    return "shell" in line
      ? spawn(line.shell, { env, stdio: [...stdio], shell: true })
      : spawn(line.program, line.args, { env, stdio: [...stdio] });
  const words = "shell" in line ? ["/bin/sh", "-c", line.shell] : [line.program, ...line.args];
  // The group allows to end everything that the command has started.
  return spawn("/bin/sh", ["-c", GATE, "sh", ...words], { env, stdio: [...stdio, "pipe"], detached: true });
}

function openGate(child: ChildProcess): void {
  const gate = child.stdio[3] as Writable | null | undefined;
  gate?.on("error", () => {});
  gate?.end("\n");
}

/** Waits for the end of the process, and not of its output: another process may keep that open. */
function endOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function endText(exitCode: number | null, signal: string | null): string {
  if (signal !== null) return `was ended by ${signal}`;
  return exitCode === 127 ? "exited with 127: it cannot be found" : `exited with ${exitCode}`;
}

function startFailure(error: unknown): string {
  return `cannot be started: ${(error as Error).message}`;
}

async function drained(stdout: NodeJS.ReadableStream): Promise<void> {
  if (!stdout.readable) return;
  await Promise.race([new Promise((resolve) => stdout.once("close", resolve)), sleep(DRAIN_MS)]);
}

class BoundedOutput {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (!this.isTooLong) this.#chunks.push(chunk);
  }

  get isTooLong(): boolean {
    return this.#size > MAX_OUTPUT_BYTES;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

/** Signals the processes that a command consists of. On Windows, only the command itself. */
function signalCommand(child: ChildProcess, signal: NodeJS.Signals): void {
  if (process.platform === "win32") child.kill(signal);
  else if (child.pid !== undefined) signalGroup(child.pid, signal);
}
