/** Starts daemons in a process that the test files of a worker share: see `daemon-host.mjs`. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { IdentityOptions } from "../../daemon/identity/index.js";

/**
 * Maximum number of daemons in one process, because each leaves some memory and an observer of garbage
 * collections behind. Later daemons start in a new process.
 */
const MAX_DAEMONS = 30;

interface Call {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

class Host {
  private readonly child: ChildProcess;
  private readonly calls = new Map<number, Call>();
  private lastCall = 0;
  private started = 0;
  private stopped = 0;

  constructor() {
    this.child = fork(fileURLToPath(new URL("./daemon-host.mjs", import.meta.url)), {
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.child.on("message", ({ id, result, error }: { id: number; result?: unknown; error?: string }) => {
      const call = this.calls.get(id)!;
      this.calls.delete(id);
      if (error === undefined) call.resolve(result);
      else call.reject(new Error(error));
    });
    this.child.once("exit", (code) => {
      for (const { reject } of this.calls.values()) reject(new Error(`the host exited with ${code}`));
    });
  }

  get isFull(): boolean {
    return this.started >= MAX_DAEMONS;
  }

  /** Starts a daemon. Returns its origin. */
  async start(flags: Flags, logFile: string, options: HostedOptions): Promise<string> {
    this.started++;
    const { mcpCatalog, tuning, localSecret, env } = options;
    const input = { flags, logFile, catalog: mcpCatalog?.href, tuning, localSecret, env };
    try {
      return (await this.call("start", input)) as string;
    } catch (error) {
      this.countStop();
      throw error;
    }
  }

  async stop(origin: string): Promise<void> {
    await this.call("stop", { origin });
    this.countStop();
  }

  private countStop(): void {
    this.stopped++;
    if (this.isFull && this.stopped === this.started) this.child.disconnect();
  }

  private call(method: "start" | "stop", input: object): Promise<unknown> {
    const id = ++this.lastCall;
    return new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject });
      this.child.send({ id, method, input });
    });
  }
}

type Flags = Record<string, string | string[]>;
export type Tuning = IdentityOptions["tuning"];

interface HostedOptions {
  mcpCatalog?: URL;
  tuning?: Tuning;
  localSecret?: string;
  env?: Record<string, string>;
}

/** A running daemon of a host. */
export interface HostedDaemon {
  origin: string;
  host: Host;
  stop(): Promise<void>;
}

/**
 * Two processes, because a daemon restarts in a process that knows nothing of its previous run. The second
 * process starts when it is needed.
 */
const hosts: (Host | undefined)[] = [];

/**
 * Starts a daemon.
 * @param args flags of `wireroom daemon`
 * @param logFile where its log goes
 * @param options see `DaemonOptions`
 * @param previous the stopped daemon that this one restarts
 */
export async function startHostedDaemon(
  args: readonly string[],
  logFile: string,
  options: HostedOptions = {},
  previous?: HostedDaemon,
): Promise<HostedDaemon> {
  const host = hostOtherThan(previous?.host);
  const origin = await host.start(flagsOf(args), logFile, options);
  return { origin, host, stop: () => host.stop(origin) };
}

function hostOtherThan(previous: Host | undefined): Host {
  const index = previous && hosts[0] === previous ? 1 : 0;
  if (!hosts[index] || hosts[index].isFull) hosts[index] = new Host();
  return hosts[index];
}

/**
 * Returns the flags as `readSettings` takes them: `dataDir` for `--data-dir`, a list for a repeatable flag, and
 * `on` or `off` for a flag without a value.
 */
function flagsOf(args: readonly string[]): Flags {
  const lists: Record<string, string[]> = { limit: [], corsOrigin: [] };
  const flags: Flags = {};
  for (const [n, arg] of args.entries()) {
    const [, no, words] = /^--(no-)?(.*)$/.exec(arg) ?? [];
    if (words === undefined) continue;
    const name = words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const next = args[n + 1];
    if (no || next === undefined || next.startsWith("--")) flags[name] = no ? "off" : "on";
    else if (lists[name]) lists[name].push(next);
    else flags[name] = next;
  }
  for (const [name, values] of Object.entries(lists)) if (values.length > 0) flags[name] = values;
  return flags;
}
