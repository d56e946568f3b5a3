/** A machine of its own for the command: a data folder, a configuration folder, and no daemon yet. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ended, type RunOptions, wireroom } from "./command.js";
import type { Body } from "./daemon.js";
import { runInProcess } from "./in-process.js";

/** Starting a daemon may take long where many do so at once. */
const PATIENCE = 60_000;

export class Machine {
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
    };
  }

  static async make(): Promise<Machine> {
    return new Machine(await mkdtemp(join(tmpdir(), "wireroom-machine-")));
  }

  /** Runs `wireroom` with these arguments, in a pipe: as a process what starts the daemon or is unprivileged. */
  run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    if (["up", "daemon"].includes(args[0]!) || options.unprivileged) return this.spawn(args, options);
    return runInProcess(args, { ...options, env: { ...this.env, ...options.env } });
  }

  /** The same as a process in any case. */
  spawn(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    return wireroom(args, { patience: PATIENCE, ...options, env: { ...this.env, ...options.env } });
  }

  /** The same with `--json`: what it printed. Throws where it failed. */
  async json(args: readonly string[], options?: RunOptions): Promise<Body> {
    const { code, stdout, stderr } = await this.run([...args, "--json"], options);
    if (code !== 0) throw new Error(`wireroom ${args.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** What a profile's file holds; undefined where there is none. */
  async profile(name = "default"): Promise<Body> {
    const text = await readFile(join(this.configDir, "profiles", `${name}.json`), "utf8").catch(
      () => undefined,
    );
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** Ends the daemon, and removes everything. */
  async end(): Promise<void> {
    await this.run(["down"]);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Whether a process lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
