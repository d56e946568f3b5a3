/** The command line: every command with its flags. What a command does is loaded once it runs. */
import { readFileSync } from "node:fs";
import { Command, CommanderError, type OutputConfiguration } from "commander";
import { addApprovalCommands } from "./commands/account/approval.js";
import { addAuditCommand } from "./commands/account/audit.js";
import { addDashboardCommand } from "./commands/account/dashboard.js";
import { addEgressCommands } from "./commands/account/egress.js";
import { addExportCommand } from "./commands/account/export.js";
import { addHandleCommands } from "./commands/account/handle.js";
import { addKeyCommands } from "./commands/account/key.js";
import { addLogInCommand, addLogOutCommand } from "./commands/account/login.js";
import { addSignUpCommand } from "./commands/account/signup.js";
import { addWhoAmICommand } from "./commands/account/whoami.js";
import { addBackupCommands } from "./commands/daemon/backup.js";
import { addDaemonCommand } from "./commands/daemon/daemon.js";
import { addDoctorCommand } from "./commands/daemon/doctor.js";
import { addDownCommand } from "./commands/daemon/down.js";
import { addLogsCommand } from "./commands/daemon/logs.js";
import { addOperatorCommand } from "./commands/daemon/operator.js";
import { addStatusCommand } from "./commands/daemon/status.js";
import { addStoreCommand } from "./commands/daemon/store.js";
import { addUpCommand } from "./commands/daemon/up.js";
import { HEADINGS } from "./commands/headings.js";
import { addBlockCommands } from "./commands/messaging/block.js";
import { addContactCommands } from "./commands/messaging/contact.js";
import { addInboxCommand } from "./commands/messaging/inbox.js";
import { addKnockCommands } from "./commands/messaging/knock.js";
import { addLimitsCommand } from "./commands/messaging/limits.js";
import { addProfileCommands } from "./commands/messaging/profile.js";
import { addSchemaCommands } from "./commands/messaging/schema.js";
import { addSearchCommands } from "./commands/messaging/search.js";
import { addSendCommand } from "./commands/messaging/send.js";
import { addThreadCommand } from "./commands/messaging/thread.js";
import { addWireCommands } from "./commands/messaging/wire.js";
import { addSpaceCommands } from "./commands/space/index.js";
import { addCallCommand } from "./commands/tools/call.js";
import { addCompletionCommand } from "./commands/tools/completion.js";
import { addMcpCommand } from "./commands/tools/mcp.js";
import { EXIT } from "./exit-codes.js";
import { type Surroundings, setSurroundings } from "./surroundings.js";

/** Every group of commands, in the order of `wireroom --help`. */
const GROUPS: readonly ((program: Command) => void)[] = [
  addUpCommand,
  addDownCommand,
  addStatusCommand,
  addLogsCommand,
  addDaemonCommand,
  addDoctorCommand,
  addBackupCommands,
  addStoreCommand,
  addOperatorCommand,
  addSignUpCommand,
  addLogInCommand,
  addLogOutCommand,
  addWhoAmICommand,
  addHandleCommands,
  addKeyCommands,
  addEgressCommands,
  addApprovalCommands,
  addAuditCommand,
  addExportCommand,
  addDashboardCommand,
  addSendCommand,
  addInboxCommand,
  addThreadCommand,
  addWireCommands,
  addSpaceCommands,
  addSearchCommands,
  addSchemaCommands,
  addKnockCommands,
  addContactCommands,
  addBlockCommands,
  addProfileCommands,
  addLimitsCommand,
  addCallCommand,
  addMcpCommand,
  addCompletionCommand,
];

/** Columns of a description in which words are still put on lines of their own; below, the terminal breaks them. */
const NARROWEST = 20;

/** Runs what the command line asks for. The exit code is set, not returned. */
export async function main(
  args: readonly string[] = process.argv.slice(2),
  surroundings: Surroundings = process,
): Promise<void> {
  try {
    await buildProgram(surroundings).parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    surroundings.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

export function buildProgram(surroundings: Surroundings = process): Command {
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
  for (const add of GROUPS) add(program);
  program.addHelpText("after", EXAMPLES);
  return program;
}

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
  const file = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
