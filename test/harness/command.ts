/** The command `wireroom`, run to its end. */
import { spawn } from "node:child_process";
import { COMMAND } from "./daemon.js";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Added to the environment; `undefined` takes a variable away. */
  env?: Record<string, string | undefined>;
  /** What it reads from standard input, which is closed then. */
  input?: string;
  /** Without root's right to write everywhere, where the test runs as root. */
  unprivileged?: boolean;
  /** Milliseconds until it is killed. */
  patience?: number;
}

/** Runs it with these arguments until it exits. One that is still running after 20 s (`patience`) is killed and has no exit code. */
export async function wireroom(
  args: readonly string[],
  { env, input, unprivileged = false, patience = 20_000 }: RunOptions = {},
): Promise<Ended> {
  const [program = "", ...first] = [...(unprivileged ? withoutPrivileges() : []), process.execPath];
  const child = spawn(program, [...first, COMMAND, ...args], {
    env: { ...process.env, ...env },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    timeout: patience,
    killSignal: "SIGKILL",
  });
  const ended: Ended = { code: null, stdout: "", stderr: "" };
  // One that does not read its input may have ended before it was written.
  child.stdin?.on("error", () => {}).end(input);
  child.stdout?.on("data", (chunk: Buffer) => {
    ended.stdout += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    ended.stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ ...ended, code }));
  });
}

/** It stays the same user: another one may be unable to enter the folder of the project. */
function withoutPrivileges(): string[] {
  return process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : [];
}
