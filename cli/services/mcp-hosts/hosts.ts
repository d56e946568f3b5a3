/** Locates the configuration files of the MCP hosts that this command can configure. */
import { homedir } from "node:os";
import { join } from "node:path";
import { HOST_ENTRIES, type HostEntry, type HostId } from "../../../src/mcp-hosts/entries.js";

/** The machine on which folders are located. */
export interface Machine {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

interface HostFiles {
  /** A folder that exists if the host is installed. */
  folder(machine: Machine): string;
  userFile(machine: Machine): string;
  /** Relative to the project's folder. Undefined if the host has no such file. */
  projectFile?: string;
}

export interface Host extends HostEntry, HostFiles {}

export const claudeFolder = folderInHome(".claude", "CLAUDE_CONFIG_DIR");
/** The folder that hosts of the Agent Skills standard share. */
export const agentsFolder = folderInHome(".agents");

function geminiFolder(machine: Machine): string {
  return join(machine.env.GEMINI_CLI_HOME || home(machine), ".gemini");
}

const FILES: Readonly<Record<HostId, HostFiles>> = {
  "claude-code": {
    folder: claudeFolder,
    userFile: (machine) => join(machine.env.CLAUDE_CONFIG_DIR || home(machine), ".claude.json"),
    projectFile: ".mcp.json",
  },
  "claude-desktop": inFolder((machine) => join(appData(machine), "Claude"), "claude_desktop_config.json"),
  cursor: inFolder(folderInHome(".cursor"), "mcp.json", join(".cursor", "mcp.json")),
  vscode: vscode("Code"),
  "vscode-insiders": vscode("Code - Insiders"),
  codex: inFolder(folderInHome(".codex", "CODEX_HOME"), "config.toml", join(".codex", "config.toml")),
  gemini: inFolder(geminiFolder, "settings.json", join(".gemini", "settings.json")),
  copilot: inFolder(folderInHome(".copilot", "COPILOT_HOME"), "mcp-config.json", ".mcp.json"),
  opencode: inFolder((machine) => join(xdgConfig(machine), "opencode"), "opencode.json", "opencode.json"),
  kimi: inFolder(folderInHome(".kimi-code", "KIMI_CODE_HOME"), "mcp.json", join(".kimi-code", "mcp.json")),
  windsurf: inFolder(folderInHome(join(".codeium", "windsurf")), "mcp_config.json"),
  zed: inFolder(zedFolder, "settings.json", join(".zed", "settings.json")),
};

/** All hosts, in the order of `HOST_IDS`. */
export const HOSTS: readonly Host[] = HOST_ENTRIES.map((entry) => ({ ...entry, ...FILES[entry.id] }));

/** @param variable the environment variable that names another folder */
function folderInHome(name: string, variable?: string): HostFiles["folder"] {
  return (machine) => (variable && machine.env[variable]) || join(home(machine), name);
}

function inFolder(folder: HostFiles["folder"], file: string, projectFile?: string): HostFiles {
  return { folder, userFile: (machine) => join(folder(machine), file), ...(projectFile && { projectFile }) };
}

function vscode(name: string): HostFiles {
  const folder = (machine: Machine) => join(appData(machine), name);
  return inFolder(folder, join("User", "mcp.json"), join(".vscode", "mcp.json"));
}

/** https://github.com/zed-industries/zed/blob/main/crates/paths/src/paths.rs */
function zedFolder(machine: Machine): string {
  if (machine.platform === "win32") return join(appData(machine), "Zed");
  return machine.platform === "darwin"
    ? join(home(machine), ".config", "zed")
    : join(xdgConfig(machine), "zed");
}

function home({ platform, env }: Machine): string {
  return (platform === "win32" ? env.USERPROFILE : env.HOME) || homedir();
}

function appData(machine: Machine): string {
  const { platform, env } = machine;
  if (platform === "win32") return env.APPDATA || join(home(machine), "AppData", "Roaming");
  if (platform === "darwin") return join(home(machine), "Library", "Application Support");
  return xdgConfig(machine);
}

function xdgConfig(machine: Machine): string {
  return machine.env.XDG_CONFIG_HOME || join(home(machine), ".config");
}
