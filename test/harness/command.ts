/** Runs the command `wireroom` as a separate process. */
import { spawn } from "node:child_process";
import { COMMAND } from "./daemon.js";

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Added to the environment. `undefined` removes a variable. */
  env?: Record<string, string | undefined>;
  /** Working folder of the process. Default: the folder of the tests. */
  cwd?: string;
  /** Text for standard input, which is then closed. */
  input?: string;
  /** Removes root's privilege to write everywhere if the test runs as root. */
  unprivileged?: boolean;
  /** Command that runs the process, such as `prlimit`. */
  launcher?: readonly string[];
  /** Time in milliseconds after which the process is killed. */
  timeoutMs?: number;
}

/**
 * Runs the command until it exits. The process is killed after `timeoutMs`, 20 s by default, and then has no
 * exit code.
 */
export async function runProcess(
  args: readonly string[],
  { env, cwd, input, unprivileged = false, launcher = [], timeoutMs = 20_000 }: RunOptions = {},
): Promise<CommandResult> {
  const [program = "", ...first] = [
    ...launcher,
    ...(unprivileged ? dropPrivilegesCommand() : []),
    process.execPath,
  ];
  const child = spawn(program, [...first, COMMAND, ...args], {
    env: { ...process.env, ...env },
    ...(cwd !== undefined && { cwd }),
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const ended: CommandResult = { code: null, stdout: "", stderr: "" };
  // The process may exit before it has read its input.
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

/**
 * Returns the command prefix that drops root's capabilities. The user stays the same, because another one may
 * have no access to the project folder.
 */
function dropPrivilegesCommand(): string[] {
  return process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : [];
}
