/** Runs a program with its output in memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { spawn as spawnInTerminal } from "@lydell/node-pty";

interface LaunchOptions {
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
  timeoutMs: number;
  /** Runs it in a pseudo-terminal, for programs that refuse to ask a human otherwise. */
  inTerminal: boolean;
}

export interface LaunchResult {
  output: string;
  /** Undefined if the program was killed at the timeout. */
  code: number | undefined;
}

export function launch(command: string, args: string[], options: LaunchOptions): Promise<LaunchResult> {
  return options.inTerminal ? inTerminal(command, args, options) : inPipes(command, args, options);
}

async function inPipes(command: string, args: string[], { cwd, env, timeoutMs }: LaunchOptions) {
  // A process group, so that the timeout also ends what the program has started.
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const timer = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), timeoutMs);
  const [code, signal] = await once(child, "close");
  clearTimeout(timer);
  return { output, code: signal ? undefined : (code as number) };
}

async function inTerminal(command: string, args: string[], { cwd, env, timeoutMs }: LaunchOptions) {
  const child = spawnInTerminal(command, args, { cwd, env, cols: 1_000 });
  let output = "";
  child.onData((data) => {
    output += data;
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  const { exitCode, signal } = await new Promise<{ exitCode: number; signal?: number }>((resolve) => {
    child.onExit(resolve);
  });
  clearTimeout(timer);
  return { output, code: signal ? undefined : exitCode };
}
