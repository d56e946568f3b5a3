/** The command line program. Imports only the called command's module, for a fast start. */
import { type Command, CommanderError, type Option, type OutputConfiguration } from "commander";
import { CliCommand, HELP_WIDTH } from "./commands/cli-command.js";
import type { AddCommand } from "./commands/command.js";
import { addJsonOptions, asksForJson, withJsonFields } from "./commands/json-option.js";
import { HEADINGS } from "./commands/short-help.js";
import { EXIT } from "./exit-codes.js";
import { Failure } from "./failure.js";
import type { CommandName, Words } from "./output/hint-context.js";
import { packageVersion } from "./package-file.js";
import { exitOnOutputError, type ProcessIO, prepareStreams, rootOf, setProcessIO } from "./process-io.js";
import { applyEnvironmentProxy } from "./services/environment-proxy.js";

interface Group {
  heading: keyof typeof HEADINGS;
  names: readonly string[];
  load(): Promise<{ add: AddCommand | readonly AddCommand[] }>;
}

/** @param names separated by spaces */
function group<Names extends string>(
  heading: Group["heading"],
  names: Words<Names> extends CommandName ? Names : never,
  load: Group["load"],
): Group {
  return { heading, names: names.split(" "), load };
}

/** All command groups, in the order of `wireroom --help`. */
const GROUPS: readonly Group[] = [
  group("daemon", "init", () => import("./commands/daemon/init.js")),
  group("daemon", "demo", () => import("./commands/daemon/demo.js")),
  group("daemon", "up", () => import("./commands/daemon/up.js")),
  group("daemon", "down", () => import("./commands/daemon/down.js")),
  group("daemon", "status", () => import("./commands/daemon/status.js")),
  group("daemon", "logs", () => import("./commands/daemon/logs.js")),
  group("daemon", "daemon", () => import("./commands/daemon/daemon.js")),
  group("daemon", "doctor", () => import("./commands/daemon/doctor.js")),
  group("daemon", "backup restore", () => import("./commands/daemon/backup.js")),
  group("daemon", "store", () => import("./commands/daemon/store.js")),
  group("daemon", "operator", () => import("./commands/daemon/operator.js")),
  group("human", "signup", () => import("./commands/account/signup.js")),
  group("human", "login logout", () => import("./commands/account/login.js")),
  group("human", "password", () => import("./commands/account/password.js")),
  group("human", "whoami", () => import("./commands/account/whoami.js")),
  group("human", "handle", () => import("./commands/account/handle.js")),
  group("human", "key", () => import("./commands/account/key.js")),
  group("human", "connection", () => import("./commands/account/connection.js")),
  group("human", "egress", () => import("./commands/account/egress.js")),
  group("human", "approval", () => import("./commands/account/approval.js")),
  group("human", "audit", () => import("./commands/account/audit.js")),
  group("human", "export", () => import("./commands/account/export.js")),
  group("human", "account", () => import("./commands/account/account.js")),
  group("human", "dashboard", () => import("./commands/account/dashboard.js")),
  group("human", "console", () => import("./commands/account/console.js")),
  group("agent", "send reply", () => import("./commands/messaging/send.js")),
  group("agent", "inbox", () => import("./commands/messaging/inbox.js")),
  group("agent", "watch", () => import("./commands/messaging/watch.js")),
  group("agent", "sent thread", () => import("./commands/messaging/thread.js")),
  group("agent", "wire vote unvote", () => import("./commands/messaging/wire.js")),
  group("agent", "space", () => import("./commands/space/space.js")),
  group("agent", "search", () => import("./commands/messaging/search.js")),
  group("agent", "schema", () => import("./commands/messaging/schema.js")),
  group("agent", "knock", () => import("./commands/messaging/knock.js")),
  group("agent", "contact block", () => import("./commands/messaging/contact.js")),
  group("agent", "profile", () => import("./commands/messaging/profile.js")),
  group("agent", "limits", () => import("./commands/messaging/limits.js")),
  group("more", "call", () => import("./commands/tools/call.js")),
  group("more", "mcp", () => import("./commands/tools/mcp.js")),
  group("more", "hook", () => import("./commands/tools/hook.js")),
  group("more", "completion", () => import("./commands/tools/completion.js")),
  group("more", "version", () => import("./commands/tools/version.js")),
];

/** Minimum column width for wrapping help texts. Narrower columns are not wrapped. */
const MIN_WRAP_WIDTH = 20;

export async function main(
  args: readonly string[] = process.argv.slice(2),
  io: ProcessIO = process,
): Promise<void> {
  if (io === process) prepareStreams(process);
  // Only the completion scripts run this command.
  if (args[0] === "completion-server") {
    const { printCandidates, typedLine } = await import("./services/completion.js");
    const line = typedLine(io.env);
    return printCandidates(await buildProgram(io, groupsOf(line.words)), line, io);
  }
  try {
    const program = await buildProgram(io, groupsOf(args));
    program.printsJson = asksForJson(args);
    if (io === process) await applyProxy(program);
    await program.parseAsync(wordsOf(program, args), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    io.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

async function applyProxy(program: Command): Promise<void> {
  try {
    await applyEnvironmentProxy(process.env);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    program.error(`error: ${error.message}`, { code: "wireroom.proxy" });
  }
}

function wordsOf(program: Command, args: readonly string[]): string[] {
  try {
    return withJsonFields(program, args);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return program.error(`error: ${error.message}`, { code: "wireroom.fields" });
  }
}

/** Returns the called command's group, none for `--version`, or all groups for help and unknown commands. */
export function groupsOf(args: readonly string[]): readonly Group[] {
  let at = 0;
  while (args[at]?.startsWith("-")) {
    if (VERSION_OPTIONS.includes(args[at]!)) return [];
    at += OPTIONS_WITH_VALUE.has(args[at]!) ? 2 : 1;
  }
  const group = GROUPS.find(({ names }) => names.includes(args[at]!));
  return group === undefined ? GROUPS : [group];
}

export async function buildProgram(io: ProcessIO = process, groups = GROUPS): Promise<CliCommand> {
  const program = new CliCommand("wireroom")
    .description("A messaging service for software agents.")
    .version(packageVersion(), VERSION_OPTIONS.join(", "), "print the version")
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
    .configureOutput(outputTo(io))
    .exitOverride();
  setProcessIO(program, io);
  addSharedOptions(program);
  const modules = await Promise.all(groups.map(({ load }) => load()));
  for (const [index, { add }] of modules.entries()) {
    program.commandsGroup(HEADINGS[groups[index]!.heading]);
    for (const addCommand of [add].flat()) addCommand(program);
  }
  program.addHelpText("after", EXAMPLES);
  return program;
}

const VERSION_OPTIONS = ["-V", "--version"];

const OPTIONS_WITH_VALUE = new Set(["--profile", "--as", "--url", "--jq"]);

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

function sharedOptionsOf(command: Command): Option[] {
  const root = rootOf(command);
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

function widthOf(stream: NodeJS.WriteStream): number {
  return stream.isTTY ? stream.columns : HELP_WIDTH;
}

const EXAMPLES = `
Get started:
  $ wireroom init alice
  $ wireroom send @alice hello && wireroom inbox`;
