/**
 * The configuration entry of an MCP server, for each MCP host. `wireroom mcp install` writes the entry and
 * the console shows it. A link above each host cites the source of its format.
 */

/** How a host reaches the MCP endpoint: by URL, or through a command that the host starts. */
export type Connection = { url: string } | { command: string; args: string[]; env?: Record<string, string> };

export interface HostEntry {
  id: HostId;
  title: string;
  /** The user's configuration file, as shown to a human: the Linux path, or the file's name. */
  userFileText: string;
  format: "json" | "toml";
  /** The property that maps server names to entries. */
  section: string;
  entry(connection: Connection): Record<string, unknown>;
  /**
   * Returns the step that signs the human in with OAuth after the change. Undefined if the host cannot use
   * OAuth for servers in this file.
   */
  signIn?(name: string): string;
  /** Returns a link that adds a server with this URL. Undefined if the host does not support such links. */
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
  "copilot",
  "opencode",
  "kimi",
  "windsurf",
  "zed",
] as const;
export type HostId = (typeof HOST_IDS)[number];

/** The entry for hosts that infer the connection type from the entry's properties. */
const bare = (connection: Connection) => ({ ...connection });

/** The entry for hosts that need the connection type as a property. */
const typed = (connection: Connection) => ({
  type: "url" in connection ? "http" : "stdio",
  ...connection,
});

/** The format of most hosts. */
const USUAL = { format: "json", section: "mcpServers", entry: bare } as const;

/** VS Code and VS Code Insiders: https://code.visualstudio.com/docs/copilot/reference/mcp-configuration */
function vscodeEntry(id: HostId, title: string): HostEntry {
  return {
    id,
    title,
    userFileText: "mcp.json of the user (run “MCP: Open User Configuration”)",
    format: "json",
    section: "servers",
    entry: typed,
    signIn: (name) => `In ${title}, run “MCP: List Servers”, start ${name} and sign in.`,
    // https://code.visualstudio.com/api/extension-guides/ai/mcp#create-an-mcp-installation-url
    installLink: (name, url) =>
      `${id}:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: "http", url }))}`,
  };
}

/** All hosts, in the order of `HOST_IDS`. */
export const HOST_ENTRIES: readonly HostEntry[] = [
  // https://code.claude.com/docs/en/mcp
  {
    id: "claude-code",
    title: "Claude Code",
    userFileText: "~/.claude.json",
    ...USUAL,
    entry: typed,
    signIn: (name) => `In Claude Code, run /mcp, choose ${name} and sign in.`,
  },
  // This file supports only commands; Claude Desktop adds URL servers in its settings.
  // https://modelcontextprotocol.io/docs/develop/connect-local-servers
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    userFileText: "claude_desktop_config.json",
    ...USUAL,
  },
  // https://cursor.com/docs/context/mcp
  {
    id: "cursor",
    title: "Cursor",
    userFileText: "~/.cursor/mcp.json",
    ...USUAL,
    signIn: (name) => `In Cursor's settings for MCP, sign in to ${name}.`,
    // https://cursor.com/docs/context/mcp/install-links
    installLink(name, url) {
      const config = btoa(JSON.stringify({ url }));
      return `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(config)}`;
    },
  },
  vscodeEntry("vscode", "VS Code"),
  vscodeEntry("vscode-insiders", "VS Code Insiders"),
  // https://github.com/openai/codex/blob/main/codex-rs/config/src/mcp_types.rs
  {
    id: "codex",
    title: "Codex",
    userFileText: "~/.codex/config.toml",
    format: "toml",
    section: "mcp_servers",
    entry: bare,
    signIn: (name) => `Sign in: codex mcp login ${name}`,
  },
  // https://github.com/google-gemini/gemini-cli/blob/main/packages/cli/src/commands/mcp/add.ts
  {
    id: "gemini",
    title: "Gemini CLI",
    userFileText: "~/.gemini/settings.json",
    ...USUAL,
    entry: (connection) => ("url" in connection ? { ...connection, type: "http" } : { ...connection }),
    signIn: (name) => `In Gemini CLI, run: /mcp auth ${name}`,
  },
  // https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers
  {
    id: "copilot",
    title: "Copilot CLI",
    userFileText: "~/.copilot/mcp-config.json",
    ...USUAL,
    entry: typed,
    signIn: (name) => `In Copilot CLI, run: /mcp auth ${name}`,
  },
  // https://opencode.ai/docs/mcp-servers
  {
    id: "opencode",
    title: "OpenCode",
    userFileText: "~/.config/opencode/opencode.json",
    format: "json",
    section: "mcp",
    entry: (connection) =>
      "url" in connection
        ? { type: "remote", ...connection }
        : {
            type: "local",
            command: [connection.command, ...connection.args],
            ...(connection.env && { environment: connection.env }),
          },
    signIn: (name) => `Sign in: opencode mcp auth ${name}`,
  },
  // https://moonshotai.github.io/kimi-code/en/customization/mcp.html
  {
    id: "kimi",
    title: "Kimi Code CLI",
    userFileText: "~/.kimi-code/mcp.json",
    ...USUAL,
    signIn: (name) => `In Kimi Code CLI, run: /mcp-config login ${name}`,
  },
  // https://docs.windsurf.com/windsurf/cascade/mcp
  {
    id: "windsurf",
    title: "Windsurf",
    userFileText: "~/.codeium/windsurf/mcp_config.json",
    ...USUAL,
    entry: (connection) => ("url" in connection ? { serverUrl: connection.url } : { ...connection }),
    signIn: (name) => `In Windsurf, refresh the MCP servers of Cascade and sign in to ${name}.`,
  },
  // https://zed.dev/docs/ai/mcp
  {
    id: "zed",
    title: "Zed",
    userFileText: "settings.json (run “zed: open settings”)",
    format: "json",
    section: "context_servers",
    entry: bare,
    signIn: (name) => `In Zed's settings for MCP servers, sign in to ${name}.`,
  },
];
