/** A daemon's data folder, with its lock, state file, log file and secret for local sign-ins. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { newSecret } from "../../src/kernel/ids.js";
import { type Lock, lockFolder } from "../../src/store/engine/sqlite/lock.js";
import { replaceFile } from "./replace-file.js";

/** Content of `daemon.json`, which exists while a daemon serves requests. It contains no secrets. */
export interface DaemonState {
  pid: number;
  version: string;
  /** Origin of the daemon's listen address, such as `http://127.0.0.1:4747`. */
  listen: string;
  base_url: string;
  mcp_url: string;
  /** The database's URL without user and password. */
  database_url: string;
  /** Null for the embedded provider. */
  oidc_issuer: string | null;
  /** The mail server's URL without credentials. Null if codes are logged. */
  smtp: string | null;
  log_file: string | null;
  /** All settings by flag, without passwords. Absent if an older version wrote the file. */
  settings?: Record<string, string>;
  started_at: string;
}

export function defaultLogFile(dataDir: string): string {
  return join(dataDir, "daemon.log");
}

function stateFile(dataDir: string): string {
  return join(dataDir, "daemon.json");
}

export function localSecretFile(dataDir: string): string {
  return join(dataDir, "local-sign-in");
}

/** Valid only while the folder is locked. */
export async function readDaemonState(dataDir: string): Promise<DaemonState | undefined> {
  try {
    return JSON.parse(await readFile(stateFile(dataDir), "utf8")) as DaemonState;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** A data folder that this process locks until it exits, so that no second daemon can use it. */
export class LockedDataFolder {
  private constructor(
    private readonly dataDir: string,
    private readonly lock: Lock,
  ) {}

  /** Throws `StoreRefused` if the folder is locked by another process or not writable. */
  static async lock(dataDir: string): Promise<LockedDataFolder> {
    const held = new LockedDataFolder(dataDir, await lockFolder(dataDir));
    // A killed daemon may have left its files behind.
    await held.removeFiles();
    return held;
  }

  async writeState(state: DaemonState): Promise<void> {
    await replaceFile(stateFile(this.dataDir), `${JSON.stringify(state, null, 2)}\n`);
  }

  /** Stores a new secret, which lets users who can read it sign in without a password. Returns the secret. */
  async writeLocalSecret(): Promise<string> {
    const secret = newSecret();
    await replaceFile(localSecretFile(this.dataDir), `${secret}\n`);
    return secret;
  }

  async unlock(): Promise<void> {
    await this.removeFiles();
    await this.lock.close();
  }

  private async removeFiles(): Promise<void> {
    for (const file of [stateFile, localSecretFile]) await rm(file(this.dataDir), { force: true });
  }
}
