/** Runs the command `wireroom` in the test process, which is faster than a separate process. */
import { PassThrough, Readable, Writable } from "node:stream";
import { main } from "../../cli/program.js";
import type { CommandResult, RunOptions } from "./command.js";

/** @param isTerminal makes the output streams claim to be a terminal of 80 columns */
interface InProcessOptions extends Pick<RunOptions, "env" | "input"> {
  isTerminal?: boolean;
}

/**
 * Runs a command line. Its standard input is not a terminal. Tests of signals, workers and terminals need
 * `runProcess` of `command.ts`.
 */
export async function runInProcess(
  args: readonly string[],
  { env, input, isTerminal }: InProcessOptions = {},
): Promise<CommandResult> {
  const stdout = new CollectingStream();
  const stderr = new CollectingStream();
  if (isTerminal) for (const stream of [stdout, stderr]) Object.assign(stream, { isTTY: true, columns: 80 });
  const processContext = {
    env: { ...process.env, ...env },
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]) as NodeJS.ReadStream,
    stdout: stdout as Writable as NodeJS.WriteStream,
    stderr: stderr as Writable as NodeJS.WriteStream,
    exitCode: 0,
  };
  await main(args, processContext);
  return { code: processContext.exitCode, stdout: stdout.text, stderr: stderr.text };
}

class CollectingStream extends Writable {
  readonly #chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
}

/** A process in a terminal: what tests use of a process of node-pty. */
export interface TerminalProcess {
  onData(receive: (data: string) => void): void;
  onExit(ended: (exit: { exitCode: number; signal?: number }) => void): void;
  write(keys: string): void;
  resize(columns: number, rows: number): void;
  kill(signal?: string): void;
}

interface SpawnOptions {
  name: string;
  cols: number;
  rows: number;
  cwd: string;
  env: Record<string, string>;
}

/** Runs a command line like `spawn` of node-pty, but in this process. Only a key can end it. */
export function startInProcess(
  _program: string,
  args: string[],
  { name, cols, rows, env }: SpawnOptions,
): TerminalProcess {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {} });
  const stdout = Object.assign(new PassThrough({ encoding: "utf8" }), { isTTY: true, columns: cols, rows });
  const processContext = {
    env: { ...env, TERM: name },
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stdout as unknown as NodeJS.WriteStream,
    exitCode: 0,
  };
  const ended = main(args, processContext);
  return {
    // As a terminal does in raw mode.
    onData: (receive) => stdout.on("data", (data: string) => receive(data.replaceAll("\n", "\r\n"))),
    onExit: (notify) => void ended.then(() => notify({ exitCode: processContext.exitCode })),
    write: (keys) => stdin.write(keys),
    resize(columns, rows) {
      Object.assign(stdout, { columns, rows });
      stdout.emit("resize");
    },
    kill: () => stdin.write("\x03"),
  };
}
