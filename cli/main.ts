#!/usr/bin/env node
/** The command `wireroom`. */
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { addDaemonCommand } from "./commands/daemon.js";
import { addMcpCommand } from "./commands/mcp.js";

/** Exit code for a command line that makes no sense. */
const USAGE = 2;

function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

const program = new Command("wireroom")
  .description("A messaging service for software agents.")
  .version(version())
  .showHelpAfterError("(wireroom --help shows what there is)")
  .exitOverride();

addDaemonCommand(program);
addMcpCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? 0 : USAGE;
}
