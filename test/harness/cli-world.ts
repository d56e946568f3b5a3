/** A daemon with handles in it, and the command acting as each of them. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ended, type RunOptions, wireroom } from "./command.js";
import { type AgentClient, type Body, type DaemonOptions, startDaemon, type TestDaemon } from "./daemon.js";
import { runInProcess } from "./in-process.js";

/** The command's end, with what it printed as JSON. */
export interface Answer extends Ended {
  body: Body;
}

export class CliWorld {
  readonly #agents = new Map<string, AgentClient>();

  private constructor(
    readonly daemon: TestDaemon,
    readonly folder: string,
  ) {}

  static async start(options: DaemonOptions = {}): Promise<CliWorld> {
    const folder = await mkdtemp(join(tmpdir(), "wireroom-cli-"));
    return new CliWorld(await startDaemon(options), folder);
  }

  async stop(): Promise<void> {
    await this.daemon.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A new handle, whose key the command then acts with. */
  async handle(slug: string, fields?: Record<string, unknown>): Promise<AgentClient> {
    const agent = await this.daemon.agent(slug, fields);
    this.#agents.set(slug, agent);
    return agent;
  }

  agent(slug: string): AgentClient {
    return this.#agents.get(slug)!;
  }

  /** What the command needs to act as a handle. */
  env(slug: string): Record<string, string> {
    return {
      WIREROOM_API_KEY: this.agent(slug).key,
      WIREROOM_URL: this.daemon.base,
      WIREROOM_CONFIG_DIR: join(this.folder, "config"),
    };
  }

  /** The command in a pipe, as a handle. */
  as(slug: string, ...args: string[]): Promise<Ended> {
    return runInProcess(args, { env: this.env(slug) });
  }

  /** The same as a process of its own. */
  spawn(slug: string, args: readonly string[], options?: Pick<RunOptions, "input">): Promise<Ended> {
    return wireroom(args, { ...options, env: this.env(slug) });
  }

  /** The same, with something on its standard input. */
  piped(slug: string, input: string, ...args: string[]): Promise<Ended> {
    return runInProcess(args, { env: this.env(slug), input });
  }

  /** The same with `--json`: it must succeed, and its body is read. */
  async json(slug: string, ...args: string[]): Promise<Answer> {
    const ended = await this.as(slug, ...args, "--json");
    if (ended.code !== 0) throw new Error(`${args.join(" ")}: exit ${ended.code}: ${ended.stderr}`);
    return { ...ended, body: JSON.parse(ended.stdout) };
  }

  /** Writes a file; gives its path. */
  async file(name: string, text: string): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, text);
    return path;
  }
}
