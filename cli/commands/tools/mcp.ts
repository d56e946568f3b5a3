import type { Command } from "commander";
import type { SharedFlags } from "../../session.js";
import { addCommand } from "../command.js";
import { addInstall, addList, addUninstall } from "./mcp-hosts.js";

/** Adds `wireroom mcp`, which MCP hosts start as a command. Its standard output is only for the protocol. */
export function add(program: Command): void {
  const mcp = addCommand(program, {
    name: "mcp",
    description: "serve MCP on standard input and output, or configure MCP hosts",
    help: `\
Without a subcommand, serves an MCP host that starts a command instead of connecting to a URL. The API key comes from
WIREROOM_API_KEY, otherwise from the profile: its active handle, or the handle named by --as. Without a saved key, the command
issues one with the sign-in of the profile, for programs alone.

Examples of host configurations:
  {"mcpServers": {"wireroom":
    {"command": "wireroom", "args": ["mcp", "--as", "@alice"]}}}
  {"mcpServers": {"wireroom":
    {"command": "wireroom", "args": ["mcp"],
     "env": {"WIREROOM_API_KEY": "wr_…"}}}}`,
  }).action(async (_flags: object, command: Command) => {
    const { serveMcp } = await import("../../services/mcp/serve.js");
    process.exitCode = await serveMcp(command.optsWithGlobals<SharedFlags>());
  });
  addList(mcp);
  addInstall(mcp);
  addUninstall(mcp);
}
