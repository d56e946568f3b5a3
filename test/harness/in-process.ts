/** The command `wireroom` without a process of its own: for what a process would not prove. */
import { Readable, Writable } from "node:stream";
import { main } from "../../cli/program.js";
import type { Ended, RunOptions } from "./command.js";

/** Runs a command line through the whole program, in a pipe. Signals, workers and terminals need `wireroom` of `command.ts`. */
export async function runInProcess(
  args: readonly string[],
  { env, input }: Pick<RunOptions, "env" | "input"> = {},
): Promise<Ended> {
  const stdout = new Collected();
  const stderr = new Collected();
  const surroundings = {
    env: { ...process.env, ...env },
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]) as NodeJS.ReadStream,
    stdout: stdout as Writable as NodeJS.WriteStream,
    stderr: stderr as Writable as NodeJS.WriteStream,
    exitCode: 0,
  };
  await main(args, surroundings);
  return { code: surroundings.exitCode, stdout: stdout.text, stderr: stderr.text };
}

class Collected extends Writable {
  readonly #chunks: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }
}
