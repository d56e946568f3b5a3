import type { Command } from "commander";
import { bridge } from "../mcp/bridge.js";
import { type EndpointFlags, readEndpoint } from "../mcp/endpoint.js";

/** `wireroom mcp`: for MCP hosts that can only start a command. Standard output carries the protocol alone. */
export function addMcpCommand(program: Command): void {
  program
    .command("mcp")
    .description("serve MCP on standard input and output, for hosts that can only start a command")
    .option(
      "--url <url>",
      "REST base url of the daemon (env: WIREROOM_URL) (default: http://127.0.0.1:4747/v1)",
    )
    .addHelpText(
      "after",
      `
The key is read from WIREROOM_API_KEY.

Example of a host's configuration:
  {"mcpServers": {"wireroom": {"command": "wireroom", "args": ["mcp"], "env": {"WIREROOM_API_KEY": "wr_…"}}}}`,
    )
    .action(async (flags: EndpointFlags) => {
      const complain = (line: string) => void process.stderr.write(`wireroom mcp: ${line}\n`);
      // A host that is gone reads no answers.
      process.stdout.once("error", () => process.exit());
      try {
        const endpoint = readEndpoint(flags, process.env);
        await bridge(endpoint, {
          input: process.stdin,
          output: (line) => void process.stdout.write(`${line}\n`),
          complain,
        });
      } catch (error) {
        complain((error as Error).message);
        process.exitCode = 1;
      }
    });
}
