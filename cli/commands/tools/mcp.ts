/** Declares `wireroom mcp`, and its commands for the configuration of MCP hosts. */
import { type Command, InvalidArgumentError } from "commander";
import { HOST_IDS, type HostId } from "../../../src/mcp-hosts/entries.js";
import { isLocalAccount, isSameDaemon } from "../../profiles/endpoint.js";
import type { SharedFlags } from "../../session.js";
import { addCommand, command } from "../command.js";

interface Flags {
  name: string;
  project?: string;
  print?: true;
  bridge?: true;
  skill?: true;
}

const HOST = {
  usage: "[host]",
  description: "MCP host; omit it for all that are on this machine",
  choices: HOST_IDS,
};

const addHostOptions = (command: Command) =>
  command
    .option("--project <folder>", "use the configuration of a project instead of yours")
    .option("--name <name>", "name of the entry", parseEntryName, "wireroom")
    .option(
      "--skill",
      "also the skill, which tells the model how to use Wireroom (claude-code, cursor, vscode, codex, gemini, copilot, opencode, kimi)",
    )
    .option("--print", "show the change without writing it");

const addInstall = command<Flags, [HostId | undefined]>({
  name: "install",
  description: "add Wireroom to the configuration of an MCP host",
  arguments: [HOST],
  options: (command) =>
    addHostOptions(
      command.option(
        "--bridge",
        "start `wireroom mcp`, which uses your profile, instead of signing in with OAuth",
      ),
    ),
  help: `\
By default, only the URL of the daemon's MCP endpoint is written, and the host signs in with OAuth. For a host without
OAuth in its configuration (claude-desktop), and with --bridge, the host starts wireroom mcp, which uses a key of your
profile, or issues one with its sign-in. --as then names the handle. No key is written either way. Without --project,
--bridge is the default for an account without a password, as wireroom init creates it: OAuth's page asks for one.

Without HOST, the command finds the hosts on this machine and asks before it changes their configuration. Comments and
other entries stay. A copy of each changed file is kept in the folder of your profiles.`,
  examples: [
    "wireroom mcp install claude-code --skill",
    "wireroom mcp install codex --print",
    "wireroom mcp install claude-desktop --as @alice",
    "wireroom mcp install cursor --project . --url https://wireroom.example.com",
  ],
  async run(session, { name, project, print = false, skill = false, ...flags }, host) {
    const { changeHosts } = await import("../../services/mcp-hosts/run.js");
    const profile = await session.profile();
    const isOwnDaemon = isSameDaemon(profile, { url: await session.url() });
    const lacksPassword = isOwnDaemon && isLocalAccount(profile.signIn?.email ?? "");
    const bridge = flags.bridge ?? (project === undefined && lacksPassword);
    await changeHosts(session, { host, name, project, install: { bridge } }, { print, skill });
    if (lacksPassword && !bridge)
      session.output.note(
        "Your account has no password, which this sign-in asks for. Give it one: wireroom password set, or add --bridge.",
      );
  },
});

const addUninstall = command<Flags, [HostId | undefined]>({
  name: "uninstall",
  description: "remove Wireroom from the configuration of an MCP host",
  arguments: [HOST],
  options: addHostOptions,
  examples: ["wireroom mcp uninstall cursor", "wireroom mcp uninstall --print"],
  async run(session, { name, project, print = false, skill = false }, host) {
    const { changeHosts } = await import("../../services/mcp-hosts/run.js");
    await changeHosts(session, { host, name, project, install: undefined }, { print, skill });
  },
});

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
  addInstall(mcp);
  addUninstall(mcp);
}

function parseEntryName(text: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(text)) return text;
  throw new InvalidArgumentError('Use letters, digits, "_" and "-".');
}
