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
  /** User to run as, where the test itself runs as root. */
  uid?: number;
  /** Milliseconds until it is killed. */
  patience?: number;
}

/** Runs it with these arguments until it exits. One that is still running after 20 s (`patience`) is killed and has no exit code. */
export async function wireroom(
  args: readonly string[],
  { env, input, uid, patience = 20_000 }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...process.env, ...env },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    timeout: patience,
    killSignal: "SIGKILL",
    ...(uid !== undefined && { uid, gid: uid }),
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
