/** Runs a command for an item, in its own process group. */
import { type ChildProcess, spawn } from "node:child_process";
import { access, constants, stat } from "node:fs/promises";
import { delimiter, resolve } from "node:path";
import type { Writable } from "node:stream";
import { sleep } from "../../clock.js";
import { Failure } from "../../failure.js";
import { handleHints } from "../../input/arguments.js";

/** A program with its arguments, or a shell command line. Neither contains any text from an item. */
export type CommandLine = { program: string; args: readonly string[] } | { shell: string };

export interface CommandRun {
  env: NodeJS.ProcessEnv;
  input: string;
  /** True to collect standard output. Otherwise the command writes to the file descriptor `output`. */
  collects: boolean;
  /** File descriptor for standard output. Standard error is inherited. */
  output: number;
  timeoutMs?: number | undefined;
  signal: AbortSignal;
  /** Called before the command runs. If this throws, the command does not run. */
  onStart?(): void;
}

export interface CommandOutput {
  stdout: Buffer;
  /** True if the command wrote more than `stdout` contains. */
  isCut: boolean;
}

export class CommandFailure extends Error {
  override readonly name = "CommandFailure";

  /** @param exitCode null if the command was not started, or a signal ended it */
  constructor(
    readonly reason: string,
    readonly exitCode: number | null,
  ) {
    super(reason);
  }
}

/** Time that a command's processes have to end after SIGTERM, before they are killed. */
const KILL_AFTER_MS = 5_000;
/** Time to read remaining output after the command ends, because a forked process may keep it open. */
const DRAIN_MS = 250;
/** Maximum output to keep, because a wire cannot contain more. */
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** Running process groups. They are killed when this process exits, even after a second signal. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) signalCommand(child, "SIGKILL");
});

/**
 * Runs the command. Rejects with `CommandFailure` unless it exits with 0. Also rejects if `onStart` throws.
 */
export async function runCommand(line: CommandLine, run: CommandRun): Promise<CommandOutput> {
  const output = new BoundedOutput();
  const child = start(line, run);
  try {
    if (child.pid !== undefined) run.onStart?.();
  } catch (error) {
    // Kill the child process, which has not started the command yet but would keep this process alive.
    signalCommand(child, "SIGKILL");
    throw error;
  }
  running.add(child);
  const guard = guardOf(child);
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
    // Ignore write errors, because the command may end before it has read its input.
    child.stdin!.on("error", () => {});
    child.stdin!.end(run.input);
    openGate(child);
    const { exitCode, signal } = await endOf(child);
    if (child.stdout) await drained(child.stdout);
    const failure = reason ?? (exitCode === 0 ? undefined : endText(exitCode, signal));
    // Kill processes that a failed command left behind, because they could disturb the next attempt.
    if (failure !== undefined) {
      signalCommand(child, "SIGKILL");
      throw new CommandFailure(failure, exitCode);
    }
    return output.result;
  } finally {
    clearTimeout(timer);
    clearTimeout(killTimer);
    run.signal.removeEventListener("abort", abort);
    running.delete(child);
    guard?.end("\n");
    child.stdout?.destroy();
  }
}

/** Script that waits for a line, then runs the command. If this process ends first, nothing runs. */
const GATE = 'IFS= read -r go <&3 || exit 125; exec "$@" 3<&-';

function start(line: CommandLine, { env, collects, output }: CommandRun): ChildProcess {
  const stdio = ["pipe", collects ? "pipe" : output, "inherit"] as const;
  const isShell = "shell" in line;
  try {
    // Windows has neither process groups nor a POSIX shell, so start the command directly.
    if (process.platform === "win32")
      return isShell
        ? spawn(line.shell, { env, stdio: [...stdio], shell: true })
        : spawn(line.program, line.args, { env, stdio: [...stdio] });
    const words = isShell ? ["/bin/sh", "-c", line.shell] : [line.program, ...line.args];
    // `detached` creates a process group, so that all processes started by the command can be killed.
    return spawn("/bin/sh", ["-c", GATE, "sh", ...words], { env, stdio: [...stdio, "pipe"], detached: true });
  } catch (error) {
    throw startFailure(error);
  }
}

/**
 * Script that ends a command's process group if its own input is closed, because this process was then
 * killed. A line on the input means that the command has ended.
 */
const GUARD = 'read -r ended || { kill -TERM "-$1" && sleep 1 && kill -KILL "-$1"; }';

/** Time after which `GUARD` has ended the process group, also on a busy machine. */
export const GUARD_MS = 2_000;

function guardOf({ pid }: ChildProcess): Writable | undefined {
  if (pid === undefined || process.platform === "win32") return undefined;
  const guard: ChildProcess = spawn("/bin/sh", ["-c", GUARD, "sh", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    // The guard gets its own process group, so that a signal to the group of this process does not end it.
    detached: true,
  });
  guard.on("error", () => {});
  const input = guard.stdin!;
  input.on("error", () => {});
  return input;
}

function openGate(child: ChildProcess): void {
  const gate = child.stdio[3] as Writable | null | undefined;
  gate?.on("error", () => {});
  gate?.end("\n");
}

/** Waits for the process to exit. Does not wait for its output, which another process may keep open. */
function endOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(startFailure(error)));
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

/** Exit codes with which a shell reports that a program is missing or is not executable. */
const MISSING: Readonly<Record<number, string>> = {
  126: ": a program cannot be executed",
  127: ": a program cannot be found",
};

export function isMissing(exitCode: number | null): boolean {
  return exitCode !== null && Object.hasOwn(MISSING, exitCode);
}

/** Throws `FAILED` if the program cannot be found or executed. A shell line is not examined. */
export async function assertProgram(
  line: CommandLine,
  env: NodeJS.ProcessEnv,
  hints?: readonly string[],
): Promise<void> {
  // Do not search on Windows, which has its own rules for finding a program.
  if ("shell" in line || process.platform === "win32") return;
  const { program } = line;
  const isPath = program.includes("/");
  const folders = isPath ? [""] : (env.PATH ?? "").split(delimiter);
  for (const folder of folders) {
    const file = resolve(folder, program);
    const isExecutable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable && (await isFile(file))) return;
  }
  if (isPath && (await isFile(program)))
    throw new Failure("FAILED", `the program ${program} is not executable`, [
      `Let it run: chmod +x ${program}`,
    ]);
  const where = isPath ? "" : " in PATH";
  throw new Failure(
    "FAILED",
    `the program ${program} cannot be found${where}`,
    hints ?? [
      ...(program.startsWith("@") ? [] : ["Install it, or name it by its whole path."]),
      ...handleHints(program),
    ],
  );
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

function endText(exitCode: number | null, signal: string | null): string {
  if (signal !== null) return `was ended by ${signal}`;
  return `exited with ${exitCode}${MISSING[exitCode ?? 0] ?? ""}`;
}

function startFailure(error: unknown): CommandFailure {
  return new CommandFailure(`cannot be started: ${(error as Error).message}`, null);
}

async function drained(stdout: NodeJS.ReadableStream): Promise<void> {
  if (!stdout.readable) return;
  await Promise.race([new Promise((resolve) => stdout.once("close", resolve)), sleep(DRAIN_MS)]);
}

class BoundedOutput {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  add(chunk: Buffer): void {
    const room = MAX_OUTPUT_BYTES - this.#size;
    if (room > 0) this.#chunks.push(chunk.subarray(0, room));
    this.#size += chunk.length;
  }

  get result(): CommandOutput {
    return { stdout: Buffer.concat(this.#chunks), isCut: this.#size > MAX_OUTPUT_BYTES };
  }
}

function signalCommand(child: ChildProcess, signal: NodeJS.Signals): void {
  if (process.platform === "win32") return void child.kill(signal);
  try {
    process.kill(-child.pid!, signal);
  } catch {
    // The group has ended, or the command could not be started.
  }
}
