/** A daemon with handles, and the command `wireroom` acting as these handles. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandResult, type RunOptions, runProcess } from "./command.js";
import { type AgentClient, type Body, type DaemonOptions, startDaemon, type TestDaemon } from "./daemon.js";
import { runInProcess } from "./in-process.js";

/** The result of a command with its JSON output. */
export interface JsonResult extends CommandResult {
  body: Body;
}

export class CliFixture {
  readonly #agents = new Map<string, AgentClient>();

  private constructor(
    readonly daemon: TestDaemon,
    readonly folder: string,
  ) {}

  /** Starts a hosted daemon, unless the options say otherwise. */
  static async start(options: DaemonOptions = {}): Promise<CliFixture> {
    const folder = await mkdtemp(join(tmpdir(), "wireroom-cli-"));
    return new CliFixture(await startDaemon({ isHosted: true, ...options }), folder);
  }

  async stop(): Promise<void> {
    await this.daemon.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Creates a handle with a key. The command can then act as this handle. */
  async createHandle(slug: string, fields?: Record<string, unknown>): Promise<AgentClient> {
    const agent = await this.daemon.createAgent(slug, fields);
    this.#agents.set(slug, agent);
    return agent;
  }

  agent(slug: string): AgentClient {
    return this.#agents.get(slug)!;
  }

  /** Returns the environment variables with which the command acts as a handle. */
  env(slug: string): Record<string, string> {
    return {
      WIREROOM_API_KEY: this.agent(slug).key,
      WIREROOM_URL: this.daemon.base,
      WIREROOM_CONFIG_DIR: join(this.folder, "config"),
    };
  }

  /** Runs the command as a handle, in this process, without a terminal. */
  runAs(slug: string, ...args: string[]): Promise<CommandResult> {
    return runInProcess(args, { env: this.env(slug) });
  }

  /** Runs the command as a handle in a separate process. */
  spawnAs(
    slug: string,
    args: readonly string[],
    options?: Pick<RunOptions, "input">,
  ): Promise<CommandResult> {
    return runProcess(args, { ...options, env: this.env(slug) });
  }

  /** Runs the command as a handle with text on standard input. */
  runWithInput(slug: string, input: string, ...args: string[]): Promise<CommandResult> {
    return runInProcess(args, { env: this.env(slug), input });
  }

  /** Runs the command as a handle with `--json`. Throws if it fails. */
  async runJson(slug: string, ...args: string[]): Promise<JsonResult> {
    const ended = await this.runAs(slug, ...args, "--json");
    if (ended.code !== 0) throw new Error(`${args.join(" ")}: exit ${ended.code}: ${ended.stderr}`);
    return { ...ended, body: JSON.parse(ended.stdout) };
  }

  /** Writes a file in the folder of this fixture. Returns its path. */
  async writeFile(name: string, text: string): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, text);
    return path;
  }
}
