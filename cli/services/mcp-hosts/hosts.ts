/** The MCP hosts whose configuration this command can change. Each one names the source of its format. */
import { join } from "node:path";
import { appData, home, type Machine, xdgConfig } from "./locations.js";

/** How a host reaches the MCP endpoint: at a URL, or through a command that it starts. */
export type Connection = { url: string } | { command: string; args: string[]; env?: Record<string, string> };

export interface Host {
  id: HostId;
  title: string;
  /** Files and folders that exist if the host is installed. */
  traces(machine: Machine): string[];
  /** The configuration of the user. */
  userFile(machine: Machine): string;
  /** The configuration of a project, relative to the folder of the project. Undefined if the host has none. */
  projectFile?: string;
  format: "json" | "toml";
  /** The property that contains the servers by their names. */
  section: string;
  /** The value that describes the connection. */
  entry(connection: Connection): Record<string, unknown>;
  /** The step with which the human signs in with OAuth after the change. Undefined if the host does not support it in this file. */
  signIn?(name: string): string;
  /** Returns a link that adds a server with this URL. Undefined if the host has no such links. */
  installLink?(name: string, url: string): string;
}

export const HOST_IDS = [
  "claude-code",
  "claude-desktop",
  "cursor",
  "vscode",
  "vscode-insiders",
  "codex",
  "gemini",
  "windsurf",
  "zed",
] as const;
export type HostId = (typeof HOST_IDS)[number];

/** For hosts that distinguish the connections by their properties. */
const bare = (connection: Connection) => ({ ...connection });

/** For hosts that name the kind of the connection. */
const typed = (connection: Connection) => ({
  type: "url" in connection ? "http" : "stdio",
  ...connection,
});

/** https://code.claude.com/docs/en/mcp */
const claudeCode: Host = {
  id: "claude-code",
  title: "Claude Code",
  traces: (machine) => [claudeFolder(machine), claudeCode.userFile(machine)],
  userFile: (machine) => join(machine.env.CLAUDE_CONFIG_DIR || home(machine), ".claude.json"),
  projectFile: ".mcp.json",
  format: "json",
  section: "mcpServers",
  entry: typed,
  signIn: (name) => `In Claude Code, run /mcp, choose ${name} and sign in.`,
};

export function claudeFolder(machine: Machine): string {
  return machine.env.CLAUDE_CONFIG_DIR || join(home(machine), ".claude");
}

/**
 * Claude Desktop adds servers with a URL only in its settings, not in this file.
 * https://modelcontextprotocol.io/docs/develop/connect-local-servers
 */
const claudeDesktop: Host = {
  id: "claude-desktop",
  title: "Claude Desktop",
  traces: (machine) => [join(appData(machine), "Claude")],
  userFile: (machine) => join(appData(machine), "Claude", "claude_desktop_config.json"),
  format: "json",
  section: "mcpServers",
  entry: bare,
};

/** https://cursor.com/docs/context/mcp */
const cursor: Host = {
  id: "cursor",
  title: "Cursor",
  traces: (machine) => [join(home(machine), ".cursor")],
  userFile: (machine) => join(home(machine), ".cursor", "mcp.json"),
  projectFile: join(".cursor", "mcp.json"),
  format: "json",
  section: "mcpServers",
  entry: bare,
  signIn: (name) => `In Cursor's settings for MCP, sign in to ${name}.`,
  // https://cursor.com/docs/context/mcp/install-links
  installLink(name, url) {
    const config = Buffer.from(JSON.stringify({ url })).toString("base64");
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(config)}`;
  },
};

/** https://code.visualstudio.com/docs/copilot/reference/mcp-configuration */
function vscode(id: HostId, title: string, folder: string): Host {
  return {
    id,
    title,
    traces: (machine) => [join(appData(machine), folder)],
    userFile: (machine) => join(appData(machine), folder, "User", "mcp.json"),
    projectFile: join(".vscode", "mcp.json"),
    format: "json",
    section: "servers",
    entry: typed,
    signIn: (name) => `In ${title}, run “MCP: List Servers”, start ${name} and sign in.`,
    // https://code.visualstudio.com/api/extension-guides/ai/mcp#create-an-mcp-installation-url
    installLink: (name, url) =>
      `${id}:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: "http", url }))}`,
  };
}

/** https://github.com/openai/codex/blob/main/codex-rs/config/src/mcp_types.rs */
const codex: Host = {
  id: "codex",
  title: "Codex",
  traces: (machine) => [codexFolder(machine)],
  userFile: (machine) => join(codexFolder(machine), "config.toml"),
  projectFile: join(".codex", "config.toml"),
  format: "toml",
  section: "mcp_servers",
  entry: bare,
  signIn: (name) => `Sign in: codex mcp login ${name}`,
};

export function codexFolder(machine: Machine): string {
  return machine.env.CODEX_HOME || join(home(machine), ".codex");
}

/** https://github.com/google-gemini/gemini-cli/blob/main/packages/cli/src/commands/mcp/add.ts */
const gemini: Host = {
  id: "gemini",
  title: "Gemini CLI",
  traces: (machine) => [geminiFolder(machine)],
  userFile: (machine) => join(geminiFolder(machine), "settings.json"),
  projectFile: join(".gemini", "settings.json"),
  format: "json",
  section: "mcpServers",
  entry: (connection) => ("url" in connection ? { ...connection, type: "http" } : { ...connection }),
  signIn: (name) => `In Gemini CLI, run: /mcp auth ${name}`,
};

export function geminiFolder(machine: Machine): string {
  return join(machine.env.GEMINI_CLI_HOME || home(machine), ".gemini");
}

/** https://docs.windsurf.com/windsurf/cascade/mcp */
const windsurf: Host = {
  id: "windsurf",
  title: "Windsurf",
  traces: (machine) => [join(home(machine), ".codeium", "windsurf")],
  userFile: (machine) => join(home(machine), ".codeium", "windsurf", "mcp_config.json"),
  format: "json",
  section: "mcpServers",
  entry: (connection) => ("url" in connection ? { serverUrl: connection.url } : { ...connection }),
  signIn: (name) => `In Windsurf, refresh the MCP servers of Cascade and sign in to ${name}.`,
};

/** https://zed.dev/docs/ai/mcp */
const zed: Host = {
  id: "zed",
  title: "Zed",
  traces: (machine) => [zedFolder(machine)],
  userFile: (machine) => join(zedFolder(machine), "settings.json"),
  projectFile: join(".zed", "settings.json"),
  format: "json",
  section: "context_servers",
  entry: bare,
  signIn: (name) => `In Zed's settings for MCP servers, sign in to ${name}.`,
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
  vscode("vscode", "VS Code", "Code"),
  vscode("vscode-insiders", "VS Code Insiders", "Code - Insiders"),
  codex,
  gemini,
  windsurf,
  zed,
];
