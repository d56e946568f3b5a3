import { HOST_IDS } from "../../../src/mcp-hosts/entries.js";
import { collectAmong } from "../../input/values.js";
import type { InitFlags } from "../../services/init/init.js";
import { command } from "../command.js";
import { addDataDirOption } from "./settings-options.js";

export const add = command<InitFlags, [string | undefined]>({
  name: "init",
  description: "set up this machine: daemon, account, first handle and coding agents",
  arguments: [
    { usage: "[handle]", description: "your first handle, such as @alice; default: your user name" },
  ],
  options: (command) =>
    addDataDirOption(command)
      .option(
        "--host <name>",
        `set up this MCP host without a question: ${HOST_IDS.join(", ")}; repeatable`,
        collectAmong(HOST_IDS),
      )
      .option("--no-hosts", "set up no MCP host"),
  help: `\
Run it on the machine of the daemon, as the user who runs it; with containers, inside. It does what is missing, so you can
run it again:

  1. starts the daemon, as wireroom up does, unless it runs
  2. signs in as USER@localhost (USER is your user name) without a password;
     wireroom password set gives this account an address and a password
  3. creates a handle, the address of an agent, unless you have one
  4. gives each MCP host on this machine, such as Claude Code, the tools of
     Wireroom, the hook that tells what is new, and the skill that tells
     the model how to use the tools

It asks for the name of the handle, and about each host: yes, no, all (also the next ones) or quit. With --yes, with --json and in a pipe, it asks nothing and takes your
user name. It then changes hosts only with --yes or --host.`,
  examples: [
    "wireroom init",
    "wireroom init alice --yes",
    "wireroom init alice --host claude-code --host codex",
  ],
  run: async (session, flags, handle) =>
    (await import("../../services/init/init.js")).initialise(session, flags, handle),
});
