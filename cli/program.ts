/** The command line program. For a fast start, it imports only the module of the called command. */
import { type Command, CommanderError, type Option, type OutputConfiguration } from "commander";
import { CliCommand, HELP_WIDTH, setErrorFormat } from "./commands/cli-command.js";
import { HEADINGS } from "./commands/headings.js";
import { addJsonOptions, asksForJson, withJsonFields } from "./commands/json-option.js";
import { EXIT } from "./exit-codes.js";
import { Failure } from "./failure.js";
import { packageVersion } from "./package-version.js";
import { exitOnOutputError, type ProcessIO, prepareStreams, setProcessIO } from "./process-io.js";

interface Group {
  /** Names of the commands that this group adds. */
  names: readonly string[];
  load(): Promise<(program: Command) => void>;
}

/** All groups of commands, in the order of `wireroom --help`. */
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
  {
    names: ["password"],
    load: async () => (await import("./commands/account/password.js")).addPasswordCommands,
  },
  { names: ["whoami"], load: async () => (await import("./commands/account/whoami.js")).addWhoAmICommand },
  { names: ["handle"], load: async () => (await import("./commands/account/handle.js")).addHandleCommands },
  { names: ["key"], load: async () => (await import("./commands/account/key.js")).addKeyCommands },
  {
    names: ["connection"],
    load: async () => (await import("./commands/account/connection.js")).addConnectionCommands,
  },
  { names: ["sign-in"], load: async () => (await import("./commands/account/sign-in.js")).addSignInCommands },
  { names: ["egress"], load: async () => (await import("./commands/account/egress.js")).addEgressCommands },
  {
    names: ["approval"],
    load: async () => (await import("./commands/account/approval.js")).addApprovalCommands,
  },
  { names: ["audit"], load: async () => (await import("./commands/account/audit.js")).addAuditCommand },
  { names: ["export"], load: async () => (await import("./commands/account/export.js")).addExportCommand },
  {
    names: ["account"],
    load: async () => (await import("./commands/account/account.js")).addAccountCommands,
  },
  {
    names: ["dashboard"],
    load: async () => (await import("./commands/account/dashboard.js")).addDashboardCommand,
  },
  {
    names: ["console"],
    load: async () => (await import("./commands/account/console.js")).addConsoleCommand,
  },
  { names: ["send"], load: async () => (await import("./commands/messaging/send.js")).addSendCommand },
  { names: ["reply"], load: async () => (await import("./commands/messaging/reply.js")).addReplyCommand },
  { names: ["inbox"], load: async () => (await import("./commands/messaging/inbox.js")).addInboxCommand },
  { names: ["watch"], load: async () => (await import("./commands/messaging/watch.js")).addWatchCommand },
  { names: ["sent"], load: async () => (await import("./commands/messaging/sent.js")).addSentCommand },
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
  { names: ["hook"], load: async () => (await import("./commands/tools/hook.js")).addHookCommand },
  {
    names: ["completion"],
    load: async () => (await import("./commands/tools/completion.js")).addCompletionCommand,
  },
  { names: ["version"], load: async () => (await import("./commands/tools/version.js")).addVersionCommand },
];

/** Help texts are wrapped only if their column has at least this width. */
const MIN_WRAP_WIDTH = 20;

/** Runs one command line. Sets `io.exitCode`. */
export async function main(
  args: readonly string[] = process.argv.slice(2),
  io: ProcessIO = process,
): Promise<void> {
  if (io === process) prepareStreams(process);
  // The completion scripts call it. It is no command for humans.
  if (args[0] === "__complete") {
    const { printKnownNames } = await import("./services/completion/known-names.js");
    return printKnownNames(args.slice(1), io);
  }
  try {
    const program = await buildProgram(io, groupsOf(args));
    setErrorFormat(program, asksForJson(args));
    await program.parseAsync(wordsOf(program, args), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    io.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

/**
 * Returns the words of the command line with the fields of `--json` attached. Reports an ambiguous list of
 * fields.
 */
function wordsOf(program: Command, args: readonly string[]): string[] {
  try {
    return withJsonFields(program, args);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return program.error(`error: ${error.message}`, { code: "wireroom.fields" });
  }
}

/**
 * Returns the group that contains the called command. Returns all groups for help, for completion and for
 * unknown commands.
 */
export function groupsOf(args: readonly string[]): readonly Group[] {
  let at = 0;
  while (args[at]?.startsWith("-")) at += OPTIONS_WITH_VALUE.has(args[at]!) ? 2 : 1;
  const group = GROUPS.find(({ names }) => names.includes(args[at]!));
  return group === undefined || group.names.includes("completion") ? GROUPS : [group];
}

/** Builds the commander program with the commands of `groups`. */
export async function buildProgram(io: ProcessIO = process, groups = GROUPS): Promise<Command> {
  const program = new CliCommand("wireroom")
    .description("A messaging service for software agents.")
    .version(packageVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .addHelpCommand(
      new CliCommand("help")
        .argument("[command]")
        .description("print help for a command")
        .helpGroup(HEADINGS.more)
        .helpOption(false),
    )
    .configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: sharedOptionsOf,
      minWidthToWrap: MIN_WRAP_WIDTH,
    })
    .showSuggestionAfterError()
    .showHelpAfterError("(add --help for usage)")
    .configureOutput(outputTo(io))
    .exitOverride();
  setProcessIO(program, io);
  addSharedOptions(program);
  program.commandsGroup(HEADINGS.agent);
  const adders = await Promise.all(groups.map(({ load }) => load()));
  for (const add of adders) add(program);
  program.addHelpText("after", EXAMPLES);
  return program;
}

/** Shared options that take a value. */
const OPTIONS_WITH_VALUE = new Set(["--profile", "--as", "--url", "--jq"]);

/** Adds the options of every command. They may be placed before or after the command. */
function addSharedOptions(program: Command): void {
  program
    .option("--profile <name>", "profile to use (env: WIREROOM_PROFILE)")
    .option("--as <handle>", "act as this handle of the profile (env: WIREROOM_HANDLE)")
    .option("--url <url>", "URL of the daemon's REST API (env: WIREROOM_URL)");
  addJsonOptions(program);
  program
    .option("-y, --yes", "do not ask for confirmation")
    .option("--no-color", "disable colours (env: NO_COLOR)");
}

/**
 * Returns the shared options for the help page of a command. Those of a command between it and the program
 * are its own.
 */
function sharedOptionsOf(command: Command): Option[] {
  let root = command;
  while (root.parent) root = root.parent;
  return root === command ? [] : root.options.filter(({ hidden }) => !hidden);
}

function outputTo({ stdout, stderr }: ProcessIO): OutputConfiguration {
  return {
    writeOut(text) {
      exitOnOutputError({ stdout, stderr });
      stdout.write(text);
    },
    writeErr: (text) => void stderr.write(text),
    getOutHelpWidth: () => widthOf(stdout),
    getErrHelpWidth: () => widthOf(stderr),
  };
}

/** Returns the width of the help text. */
function widthOf(stream: NodeJS.WriteStream): number {
  return stream.isTTY ? stream.columns : HELP_WIDTH;
}

const EXAMPLES = `
Get started:
  $ wireroom up && wireroom signup
  $ wireroom handle create alice
  $ wireroom send @alice hello && wireroom inbox`;
