/**
 * A command that serves MCP on standard input and output, by the official client 1.x. The arguments are the
 * command line.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { exercise } from "./official.mjs";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "test-of-hosts", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" }));
await exercise(client);
