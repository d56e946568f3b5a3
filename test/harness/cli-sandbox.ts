/**
 * An isolated environment for the command: an empty data folder, an empty configuration folder, and no
 * daemon.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandResult, type RunOptions, runProcess } from "./command.js";
import { type Body, END_WITH_WORKER, WORKER_ENV } from "./daemon.js";
import { runInProcess } from "./in-process.js";

/** Timeout of a command. Long, because a daemon may start slowly while other tests start daemons. */
const TIMEOUT_MS = 60_000;

export class CliSandbox {
  readonly dataDir: string;
  readonly configDir: string;
  readonly env: Record<string, string>;

  private constructor(readonly folder: string) {
    this.dataDir = join(folder, "data");
    this.configDir = join(folder, "config");
    this.env = {
      WIREROOM_DATA_DIR: this.dataDir,
      WIREROOM_CONFIG_DIR: this.configDir,
      WIREROOM_PORT: "0",
      ...WORKER_ENV,
      // Ends with the test worker, because a daemon that `wireroom up` has started outlives the command.
      NODE_OPTIONS: `--require ${JSON.stringify(END_WITH_WORKER)}`,
    };
  }

  static async create(): Promise<CliSandbox> {
    return new CliSandbox(await mkdtemp(join(tmpdir(), "wireroom-machine-")));
  }

  /**
   * Runs `wireroom` with these arguments, without a terminal. A daemon in the foreground and commands that drop
   * privileges get a separate process.
   */
  run(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
    if (args[0] === "daemon" || options.unprivileged) return this.spawn(args, options);
    return runInProcess(args, { ...options, env: { ...this.env, ...options.env } });
  }

  /** Runs `wireroom` in a separate process. */
  spawn(args: readonly string[], options: RunOptions = {}): Promise<CommandResult> {
    return runProcess(args, { timeoutMs: TIMEOUT_MS, ...options, env: { ...this.env, ...options.env } });
  }

  /** Runs `wireroom` with `--json`. Returns the output, or throws if the command fails. */
  async runJson(args: readonly string[], options?: RunOptions): Promise<Body> {
    const { code, stdout, stderr } = await this.run([...args, "--json"], options);
    if (code !== 0) throw new Error(`wireroom ${args.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Returns the content of a profile, or undefined if the file does not exist. */
  async readProfile(name = "default"): Promise<Body> {
    const text = await readFile(join(this.configDir, "profiles", `${name}.json`), "utf8").catch(
      () => undefined,
    );
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Stops the daemon and removes all files. */
  async cleanUp(): Promise<void> {
    await this.run(["down"]);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Returns whether a process is running. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
