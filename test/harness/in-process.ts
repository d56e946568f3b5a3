/** Runs the command `wireroom` in the test process, which is faster than a separate process. */
import { Readable, Writable } from "node:stream";
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
