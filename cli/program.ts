/** The command line program. Imports only the called command's module, for a fast start. */
import { type Command, CommanderError, type Option, type OutputConfiguration } from "commander";
import { CliCommand, HELP_WIDTH, setErrorFormat } from "./commands/cli-command.js";
import { HEADINGS } from "./commands/headings.js";
import { addJsonOptions, asksForJson, withJsonFields } from "./commands/json-option.js";
import { EXIT } from "./exit-codes.js";
import { Failure } from "./failure.js";
import type { CommandName, Words } from "./output/hint-context.js";
import { packageVersion } from "./package-version.js";
import { exitOnOutputError, type ProcessIO, prepareStreams, setProcessIO } from "./process-io.js";
import { applyEnvironmentProxy } from "./services/environment-proxy.js";

interface Group {
  names: readonly string[];
  load(): Promise<{ add(program: Command): void }>;
}

/** @param names separated by spaces */
function group<Names extends string>(
  names: Words<Names> extends CommandName ? Names : never,
  load: Group["load"],
): Group {
  return { names: names.split(" "), load };
}

/** All command groups, in the order of `wireroom --help`. */
const GROUPS: readonly Group[] = [
  group("init", () => import("./commands/daemon/init.js")),
  group("demo", () => import("./commands/daemon/demo.js")),
  group("up", () => import("./commands/daemon/up.js")),
  group("down", () => import("./commands/daemon/down.js")),
  group("status", () => import("./commands/daemon/status.js")),
  group("logs", () => import("./commands/daemon/logs.js")),
  group("daemon", () => import("./commands/daemon/daemon.js")),
  group("doctor", () => import("./commands/daemon/doctor.js")),
  group("backup restore", () => import("./commands/daemon/backup.js")),
  group("store", () => import("./commands/daemon/store.js")),
  group("operator", () => import("./commands/daemon/operator.js")),
  group("signup", () => import("./commands/account/signup.js")),
  group("login logout", () => import("./commands/account/login.js")),
  group("password", () => import("./commands/account/password.js")),
  group("whoami", () => import("./commands/account/whoami.js")),
  group("handle", () => import("./commands/account/handle.js")),
  group("key", () => import("./commands/account/key.js")),
  group("connection", () => import("./commands/account/connection.js")),
  group("sign-in", () => import("./commands/account/sign-in.js")),
  group("egress", () => import("./commands/account/egress.js")),
  group("approval", () => import("./commands/account/approval.js")),
  group("audit", () => import("./commands/account/audit.js")),
  group("export", () => import("./commands/account/export.js")),
  group("account", () => import("./commands/account/account.js")),
  group("dashboard", () => import("./commands/account/dashboard.js")),
  group("console", () => import("./commands/account/console.js")),
  group("send", () => import("./commands/messaging/send.js")),
  group("reply", () => import("./commands/messaging/reply.js")),
  group("inbox", () => import("./commands/messaging/inbox.js")),
  group("watch", () => import("./commands/messaging/watch.js")),
  group("sent", () => import("./commands/messaging/sent.js")),
  group("thread", () => import("./commands/messaging/thread.js")),
  group("wire vote unvote", () => import("./commands/messaging/wire.js")),
  group("space", () => import("./commands/space/index.js")),
  group("search", () => import("./commands/messaging/search.js")),
  group("schema", () => import("./commands/messaging/schema.js")),
  group("knock", () => import("./commands/messaging/knock.js")),
  group("contact", () => import("./commands/messaging/contact.js")),
  group("block", () => import("./commands/messaging/block.js")),
  group("profile", () => import("./commands/messaging/profile.js")),
  group("limits", () => import("./commands/messaging/limits.js")),
  group("call", () => import("./commands/tools/call.js")),
  group("mcp", () => import("./commands/tools/mcp.js")),
  group("hook", () => import("./commands/tools/hook.js")),
  group("completion", () => import("./commands/tools/completion.js")),
  group("version", () => import("./commands/tools/version.js")),
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
    setErrorFormat(program, asksForJson(args));
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

/** Returns the called command's group, or all groups for help and unknown commands. */
export function groupsOf(args: readonly string[]): readonly Group[] {
  let at = 0;
  while (args[at]?.startsWith("-")) at += OPTIONS_WITH_VALUE.has(args[at]!) ? 2 : 1;
  const group = GROUPS.find(({ names }) => names.includes(args[at]!));
  return group === undefined ? GROUPS : [group];
}

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
    .configureOutput(outputTo(io))
    .exitOverride();
  setProcessIO(program, io);
  addSharedOptions(program);
  program.commandsGroup(HEADINGS.agent);
  for (const { add } of await Promise.all(groups.map(({ load }) => load()))) add(program);
  program.addHelpText("after", EXAMPLES);
  return program;
}

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

function widthOf(stream: NodeJS.WriteStream): number {
  return stream.isTTY ? stream.columns : HELP_WIDTH;
}

const EXAMPLES = `
Get started:
  $ wireroom init alice
  $ wireroom send @alice hello && wireroom inbox`;
