/** Where the MCP hosts whose configuration this command can change keep it. */
import { join } from "node:path";
import * as entries from "../../mcp-hosts/entries.js";
import { appData, home, type Machine, xdgConfig } from "./locations.js";

export interface Host extends entries.HostEntry {
  /** Files and folders that exist if the host is installed. */
  traces(machine: Machine): string[];
  /** The configuration of the user. */
  userFile(machine: Machine): string;
  /**
   * The configuration of a project, relative to the folder of the project. Undefined if the host has none.
   */
  projectFile?: string;
}

const claudeCode: Host = {
  ...entries.claudeCode,
  traces: (machine) => [claudeFolder(machine), claudeCode.userFile(machine)],
  userFile: (machine) => join(machine.env.CLAUDE_CONFIG_DIR || home(machine), ".claude.json"),
  projectFile: ".mcp.json",
};

export function claudeFolder(machine: Machine): string {
  return machine.env.CLAUDE_CONFIG_DIR || join(home(machine), ".claude");
}

const claudeDesktop: Host = {
  ...entries.claudeDesktop,
  traces: (machine) => [join(appData(machine), "Claude")],
  userFile: (machine) => join(appData(machine), "Claude", "claude_desktop_config.json"),
};

const cursor: Host = {
  ...entries.cursor,
  traces: (machine) => [join(home(machine), ".cursor")],
  userFile: (machine) => join(home(machine), ".cursor", "mcp.json"),
  projectFile: join(".cursor", "mcp.json"),
};

function vscode(entry: entries.HostEntry, folder: string): Host {
  return {
    ...entry,
    traces: (machine) => [join(appData(machine), folder)],
    userFile: (machine) => join(appData(machine), folder, "User", "mcp.json"),
    projectFile: join(".vscode", "mcp.json"),
  };
}

const codex: Host = {
  ...entries.codex,
  traces: (machine) => [codexFolder(machine)],
  userFile: (machine) => join(codexFolder(machine), "config.toml"),
  projectFile: join(".codex", "config.toml"),
};

export function codexFolder(machine: Machine): string {
  return machine.env.CODEX_HOME || join(home(machine), ".codex");
}

const gemini: Host = {
  ...entries.gemini,
  traces: (machine) => [geminiFolder(machine)],
  userFile: (machine) => join(geminiFolder(machine), "settings.json"),
  projectFile: join(".gemini", "settings.json"),
};

export function geminiFolder(machine: Machine): string {
  return join(machine.env.GEMINI_CLI_HOME || home(machine), ".gemini");
}

const windsurf: Host = {
  ...entries.windsurf,
  traces: (machine) => [join(home(machine), ".codeium", "windsurf")],
  userFile: (machine) => join(home(machine), ".codeium", "windsurf", "mcp_config.json"),
};

const zed: Host = {
  ...entries.zed,
  traces: (machine) => [zedFolder(machine)],
  userFile: (machine) => join(zedFolder(machine), "settings.json"),
  projectFile: join(".zed", "settings.json"),
};

/** https://github.com/zed-industries/zed/blob/main/crates/paths/src/paths.rs */
function zedFolder(machine: Machine): string {
  if (machine.platform === "win32") return join(appData(machine), "Zed");
  return machine.platform === "darwin"
    ? join(home(machine), ".config", "zed")
    : join(xdgConfig(machine), "zed");
}

/** All hosts, in the order of `HOST_IDS`. */
export const HOSTS: readonly Host[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode(entries.vscode, "Code"),
  vscode(entries.vscodeInsiders, "Code - Insiders"),
  codex,
  gemini,
  windsurf,
  zed,
];
