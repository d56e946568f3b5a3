/** Folders in which applications keep their configuration. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The machine whose folders are looked up. */
export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

export function home({ platform, env }: Machine): string {
  return (platform === "win32" ? env.USERPROFILE : env.HOME) || homedir();
}

/**
 * Returns the folder of Electron applications, such as Claude Desktop and VS Code: `app.getPath("appData")`.
 */
export function appData(machine: Machine): string {
  const { platform, env } = machine;
  if (platform === "win32") return env.APPDATA || join(home(machine), "AppData", "Roaming");
  if (platform === "darwin") return join(home(machine), "Library", "Application Support");
  return xdgConfig(machine);
}

/** Returns the configuration folder of the XDG Base Directory Specification. */
export function xdgConfig(machine: Machine): string {
  return machine.env.XDG_CONFIG_HOME || join(home(machine), ".config");
}

/** True if at least one of the files or folders exists. */
export function anyExists(paths: readonly string[]): boolean {
  return paths.some((path) => existsSync(path));
}
