/** The command line. Of the commands only the one that is called is loaded, and what it does once it runs. */
import { createRequire } from "node:module";
import { Command, CommanderError, type OutputConfiguration } from "commander";
import { HEADINGS } from "./commands/headings.js";
import { EXIT } from "./exit-codes.js";
import { type Surroundings, setSurroundings } from "./surroundings.js";

interface Group {
  /** Names of the commands that it adds. */
  names: readonly string[];
  load(): Promise<(program: Command) => void>;
}

/** Every group of commands, in the order of `wireroom --help`. */
const GROUPS: readonly Group[] = [
  { names: ["up"], load: async () => (await import("./commands/daemon/up.js")).addUpCommand },
  { names: ["down"], load: async () => (await import("./commands/daemon/down.js")).addDownCommand },
  { names: ["status"], load: async () => (await import("./commands/daemon/status.js")).addStatusCommand },
  { names: ["logs"], load: async () => (await import("./commands/daemon/logs.js")).addLogsCommand },
  { names: ["daemon"], load: async () => (await import("./commands/daemon/daemon.js")).addDaemonCommand },
  { names: ["doctor"], load: async () => (await import("./commands/daemon/doctor.js")).addDoctorCommand },
  {
    names: ["backup", "restore"],
    load: async () => (await import("./commands/daemon/backup.js")).addBackupCommands,
  },
  { names: ["store"], load: async () => (await import("./commands/daemon/store.js")).addStoreCommand },
  {
    names: ["operator"],
    load: async () => (await import("./commands/daemon/operator.js")).addOperatorCommand,
  },
  { names: ["signup"], load: async () => (await import("./commands/account/signup.js")).addSignUpCommand },
  { names: ["login"], load: async () => (await import("./commands/account/login.js")).addLogInCommand },
  { names: ["logout"], load: async () => (await import("./commands/account/login.js")).addLogOutCommand },
  { names: ["whoami"], load: async () => (await import("./commands/account/whoami.js")).addWhoAmICommand },
  { names: ["handle"], load: async () => (await import("./commands/account/handle.js")).addHandleCommands },
  { names: ["key"], load: async () => (await import("./commands/account/key.js")).addKeyCommands },
  { names: ["egress"], load: async () => (await import("./commands/account/egress.js")).addEgressCommands },
  {
    names: ["approval"],
    load: async () => (await import("./commands/account/approval.js")).addApprovalCommands,
  },
  { names: ["audit"], load: async () => (await import("./commands/account/audit.js")).addAuditCommand },
  { names: ["export"], load: async () => (await import("./commands/account/export.js")).addExportCommand },
  {
    names: ["dashboard"],
    load: async () => (await import("./commands/account/dashboard.js")).addDashboardCommand,
  },
  { names: ["send"], load: async () => (await import("./commands/messaging/send.js")).addSendCommand },
  { names: ["inbox"], load: async () => (await import("./commands/messaging/inbox.js")).addInboxCommand },
  { names: ["thread"], load: async () => (await import("./commands/messaging/thread.js")).addThreadCommand },
  {
    names: ["wire", "vote", "unvote"],
    load: async () => (await import("./commands/messaging/wire.js")).addWireCommands,
  },
  { names: ["space"], load: async () => (await import("./commands/space/index.js")).addSpaceCommands },
  { names: ["search"], load: async () => (await import("./commands/messaging/search.js")).addSearchCommands },
  { names: ["schema"], load: async () => (await import("./commands/messaging/schema.js")).addSchemaCommands },
  { names: ["knock"], load: async () => (await import("./commands/messaging/knock.js")).addKnockCommands },
  {
    names: ["contact"],
    load: async () => (await import("./commands/messaging/contact.js")).addContactCommands,
  },
  { names: ["block"], load: async () => (await import("./commands/messaging/block.js")).addBlockCommands },
  {
    names: ["profile"],
    load: async () => (await import("./commands/messaging/profile.js")).addProfileCommands,
  },
  { names: ["limits"], load: async () => (await import("./commands/messaging/limits.js")).addLimitsCommand },
  { names: ["call"], load: async () => (await import("./commands/tools/call.js")).addCallCommand },
  { names: ["mcp"], load: async () => (await import("./commands/tools/mcp.js")).addMcpCommand },
  {
    names: ["completion"],
    load: async () => (await import("./commands/tools/completion.js")).addCompletionCommand,
  },
];

/** Columns of a description in which words are still put on lines of their own; below, the terminal breaks them. */
const NARROWEST = 20;

/** Runs what the command line asks for. The exit code is set, not returned. */
export async function main(
  args: readonly string[] = process.argv.slice(2),
  surroundings: Surroundings = process,
): Promise<void> {
  try {
    const program = await buildProgram(surroundings, groupsOf(args));
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    surroundings.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

/** The groups that a command line needs: the one that it names, or all of them for help, completion and what is misspelt. */
export function groupsOf(args: readonly string[]): readonly Group[] {
  let at = 0;
  while (args[at]?.startsWith("-")) at += VALUED.has(args[at]!) ? 2 : 1;
  const group = GROUPS.find(({ names }) => names.includes(args[at]!));
  return group === undefined || group.names.includes("completion") ? GROUPS : [group];
}

/** The whole command line, or as much of it as `groups` hold. */
export async function buildProgram(surroundings: Surroundings = process, groups = GROUPS): Promise<Command> {
  const program = new Command("wireroom")
    .description("A messaging service for software agents.")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: NARROWEST })
    .showSuggestionAfterError()
    .showHelpAfterError("(add --help to see what there is)")
    .configureOutput(outputTo(surroundings))
    .exitOverride();
  setSurroundings(program, surroundings);
  addSharedOptions(program);
  program.commandsGroup(HEADINGS.agent);
  const adders = await Promise.all(groups.map(({ load }) => load()));
  for (const add of adders) add(program);
  program.addHelpText("after", EXAMPLES);
  return program;
}

/** Shared options whose value is the next word. */
const VALUED = new Set(["--profile", "--as", "--url"]);

/** They may stand before or after the command. */
function addSharedOptions(program: Command): void {
  program
    .option("--profile <name>", "profile to use (env: WIREROOM_PROFILE)")
    .option("--as <handle>", "handle of the profile that acts (env: WIREROOM_HANDLE)")
    .option("--url <url>", "REST base url of the daemon (env: WIREROOM_URL)")
    .option("--json", "print results as the REST body, errors as the envelope")
    .option("-y, --yes", "do not ask before what cannot be undone")
    .option("--no-color", "no colours (env: NO_COLOR)");
}

function outputTo({ stdout, stderr }: Surroundings): OutputConfiguration {
  return {
    writeOut(text) {
      // Whoever reads has had enough: `wireroom --help | head -3` is no error.
      stdout.once("error", (error: NodeJS.ErrnoException) =>
        process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed),
      );
      stdout.write(text);
    },
    writeErr: (text) => void stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout),
    getErrHelpWidth: () => widthOf(stderr),
  };
}

/** Columns of a terminal. In a pipe commander takes 80 of them. */
function widthOf(stream: NodeJS.WriteStream): number {
  return stream.isTTY ? stream.columns : 80;
}

const EXAMPLES = `
First use:
  $ wireroom up && wireroom signup
  $ wireroom handle create alice && wireroom key issue alice --save
  $ wireroom send @alice hello && wireroom inbox`;

function version(): string {
  return (createRequire(import.meta.url)("#package.json") as { version: string }).version;
}
