import type { Command } from "commander";
import type { SharedFlags } from "../../session.js";
import { HEADINGS } from "../headings.js";

/** `wireroom mcp`: for MCP hosts that can only start a command. Standard output carries the protocol alone. */
export function addMcpCommand(program: Command): void {
  program
    .command("mcp")
    .helpGroup(HEADINGS.more)
    .description("serve MCP on standard input and output, for hosts that can only start a command")
    .addHelpText(
      "after",
      `
The key is that of WIREROOM_API_KEY, else that of the profile's handle (--as names another one of its handles).

Examples of a host's configuration:
  {"mcpServers": {"wireroom": {"command": "wireroom", "args": ["mcp", "--as", "alice"]}}}
  {"mcpServers": {"wireroom": {"command": "wireroom", "args": ["mcp"], "env": {"WIREROOM_API_KEY": "wr_…"}}}}`,
    )
    .action(async (_flags: object, command: Command) => {
      const { serveMcp } = await import("../../work/mcp/serve.js");
      process.exitCode = await serveMcp(command.optsWithGlobals<SharedFlags>());
    });
}
