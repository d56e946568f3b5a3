/** Runs a program with its output in memory. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { spawn as spawnInTerminal } from "@lydell/node-pty";

interface LaunchOptions {
  cwd: string;
  /** The whole environment. */
  env: Record<string, string>;
  timeoutMs: number;
  /** Kills the program before the timeout. */
  signal: AbortSignal;
  /** Runs it in a pseudo-terminal, for programs that refuse to ask a human otherwise. */
  inTerminal: boolean;
}

export interface LaunchResult {
  output: string;
  /** Undefined if the program was killed. */
  code: number | undefined;
}

export function launch(command: string, args: string[], options: LaunchOptions): Promise<LaunchResult> {
  return options.inTerminal ? inTerminal(command, args, options) : inPipes(command, args, options);
}

async function inPipes(command: string, args: string[], { cwd, env, timeoutMs, signal }: LaunchOptions) {
  // A process group, so that the timeout also ends what the program has started.
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = once(child, "close");
  const end = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const kill = () => process.kill(-child.pid!, "SIGKILL");
  end.addEventListener("abort", kill);
  const [code] = await ended;
  end.removeEventListener("abort", kill);
  return { output, code: (code as number | null) ?? undefined };
}

async function inTerminal(command: string, args: string[], { cwd, env, timeoutMs, signal }: LaunchOptions) {
  const child = spawnInTerminal(command, args, { cwd, env, cols: 1_000 });
  let output = "";
  child.onData((data) => {
    output += data;
  });
  const end = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const kill = () => child.kill("SIGKILL");
  end.addEventListener("abort", kill);
  const ended = await new Promise<{ exitCode: number; signal?: number }>((resolve) => {
    child.onExit(resolve);
  });
  end.removeEventListener("abort", kill);
  return { output, code: ended.signal ? undefined : ended.exitCode };
}
