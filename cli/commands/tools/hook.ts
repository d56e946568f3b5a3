/** Declares `wireroom hook` and its subcommands, which list sessions and change hosts' configuration. */
import type { Command } from "commander";
import { Failure } from "../../failure.js";
import { processIOOf } from "../../process-io.js";
import { HOOK_HOST_IDS, type HookHostId } from "../../services/hook/hosts.js";
import type { HookFlags } from "../../services/hook/run.js";
import { type AddCommand, addCommand, type CommandText, command } from "../command.js";
import { addOriginOptions } from "../options.js";

interface ChangeFlags {
  project?: string;
  print?: true;
}

type RunFlags = Pick<HookFlags, "session" | "wake" | "relation" | "sentBy">;

const addStatus = command<RunFlags>({
  name: "status",
  description:
    "list the sessions that have run the hook, the latest first, and whether a hook waits to wake them",
  examples: ["wireroom hook status", "wireroom hook status --json"],
  async run(session, flags) {
    rejectRunFlags("status", flags);
    const { listSessions } = await import("../../services/hook/status.js");
    await listSessions(session);
  },
});

const addInstall = changeCommand("install", {
  description: "add the hook to the configuration of a host",
  help: `\
The host then runs this program with your profile; --as names the handle. The host needs no MCP server for the hook, but
its model reads and acknowledges the items with the tools of Wireroom (wireroom mcp install), or with this command.

--wake wakes a session of Claude Code or OpenCode that waits for its human: a hook waits in the background from the end of each turn, and
ends when a wire comes or a human has rejected a held message. While nothing comes, this costs no tokens.

Other hooks stay. A copy of each changed file is kept in the folder of your profiles. Without HOST, the
command finds the hosts on this machine and asks before it changes their configuration.`,
  examples: [
    "wireroom hook install claude-code --as @alice",
    "wireroom hook install claude-code --wake",
    "wireroom hook install opencode --wake --relation contact,same_account",
    "wireroom hook install codex --print",
    "wireroom hook install gemini --project .",
  ],
});

const addUninstall = changeCommand("uninstall", {
  description: "remove the hook from the configuration of a host",
  examples: ["wireroom hook uninstall claude-code", "wireroom hook uninstall --print"],
});

function changeCommand(
  action: "install" | "uninstall",
  text: Pick<CommandText, "description" | "help" | "examples">,
): AddCommand {
  return command<ChangeFlags & RunFlags, [HookHostId | undefined]>({
    ...text,
    name: action,
    arguments: [
      {
        usage: "[host]",
        description: "host; omit it for all that are on this machine",
        choices: HOOK_HOST_IDS,
        otherwise: "For others, wireroom watch runs a program for each new item.",
      },
    ],
    options: (command) => {
      if (action === "install")
        addOriginOptions(command.option("--wake", "also wake idle sessions (Claude Code, OpenCode)"));
      return command
        .option("--project <folder>", "change the configuration of a project instead of yours")
        .option("--print", "show the change without writing it");
    },
    async run(session, { project, print = false, wake, relation, sentBy, ...others }, host) {
      const installed = { wake, relation, sentBy };
      rejectRunFlags(action, action === "install" ? others : { ...others, ...installed });
      const { changeHooks } = await import("../../services/hook/install.js");
      await changeHooks(session, { host, project, action, wake, origin: { relation, sentBy } }, print);
    },
  });
}

/** Rejects flags of `wireroom hook`, which commander also accepts after the name of a subcommand. */
function rejectRunFlags(name: string, flags: RunFlags): void {
  for (const key of ["session", "wake", "relation", "sentBy"] as const)
    if (flags[key] !== undefined)
      throw new Failure("USAGE", `hook ${name} does not accept --${key.replace("B", "-b")}`);
}

const HELP = `\
Claude Code, Codex, Gemini CLI, Copilot CLI and Kimi Code CLI run this command at the start of a session, before each turn and at
the end of a turn, and pass a JSON object on standard input. Without one, the command prints plain text.

The output names each unread wire and knock once in a session: who has sent it, its id and its thread. It also names each
decision on a held message. Texts are left out, because hosts trust the output of a hook more than the result of a tool. At the
end of a turn, new wires and held messages that were not sent let the agent go on, at most 5 times in a row.

The command acknowledges nothing. If nothing is new, or no daemon answers, it prints nothing and succeeds;
wireroom inbox shows what is wrong.`;

/** Adds `wireroom hook`. When a host runs the hook, `cli/main.ts` does not use commander. */
export function add(program: Command): void {
  const hook = addCommand(program, {
    name: "hook",
    description: "tell an agent what is new in its inbox, as a hook of its host",
    help: HELP,
    examples: ["wireroom hook install claude-code", "wireroom hook --session nightly"],
  });
  addOriginOptions(hook)
    .option(
      "--wake",
      "wait until a wire comes or a held message was not sent, and then end with exit code 2, which wakes an idle session",
    )
    .option(
      "--session <id>",
      "name of the session, if the host passes none; each item is shown once per session",
    )
    .action(async (_flags: object, command: Command) => {
      const { runHook } = await import("../../services/hook/run.js");
      await runHook(command.optsWithGlobals<HookFlags>(), processIOOf(command));
    });
  addStatus(hook);
  addInstall(hook);
  addUninstall(hook);
}
