/** What a daemon keeps in its data folder besides the database, and its hold on the folder. */
import { chmod, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Lock, lockFolder } from "../../src/service/host/maintenance.js";

/** What a daemon says of itself while it serves. Nothing in it is secret. */
export interface DaemonState {
  pid: number;
  version: string;
  /** Origin that it listens on. */
  listen: string;
  base_url: string;
  mcp_url: string;
  /** Without its user and password. */
  database_url: string;
  /** The external identity provider; null with the embedded one. */
  oidc_issuer: string | null;
  /** The mail server's url without user and password; null where codes go to the log. */
  smtp: string | null;
  /** Null where the log goes to standard error. */
  log_file: string | null;
  started_at: string;
}

/** The log of a daemon in the background. */
export function defaultLogFile(dataDir: string): string {
  return join(dataDir, "daemon.log");
}

function stateFile(dataDir: string): string {
  return join(dataDir, "daemon.json");
}

/** What the file says; it is true only while the folder is held (`find.ts`). */
export async function readState(dataDir: string): Promise<DaemonState | undefined> {
  try {
    return JSON.parse(await readFile(stateFile(dataDir), "utf8")) as DaemonState;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A data folder that belongs to this process until it lets go of it, or dies. */
export class HeldFolder {
  private constructor(
    private readonly dataDir: string,
    private readonly lock: Lock,
  ) {}

  /** Throws `StoreRefused` where another daemon holds it, or it cannot be written. */
  static async hold(dataDir: string): Promise<HeldFolder> {
    const held = new HeldFolder(dataDir, await lockFolder(dataDir));
    // What a killed daemon left behind.
    await rm(stateFile(dataDir), { force: true });
    return held;
  }

  /** Tells other processes what runs here. */
  async announce(state: DaemonState): Promise<void> {
    const draft = `${stateFile(this.dataDir)}.new`;
    const handle = await open(draft, "w", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(state, null, 2)}\n`);
    } finally {
      await handle.close();
    }
    await chmod(draft, 0o600);
    await rename(draft, stateFile(this.dataDir));
  }

  async release(): Promise<void> {
    await rm(stateFile(this.dataDir), { force: true });
    await this.lock.close();
  }
}
