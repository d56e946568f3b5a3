/** Declares `wireroom watch`, which runs a command for each new item. */
import { InvalidArgumentError, Option } from "commander";
import { Failure } from "../../failure.js";
import { handleHints } from "../../input/arguments.js";
import { collectAmong, collectValues, integerBetween } from "../../input/values.js";
import type { CommandLine } from "../../services/watch/command.js";
import type { WatchOptions } from "../../services/watch/watch.js";
import { command } from "../command.js";
import { addOriginOptions } from "../options.js";

interface WatchFlags extends Omit<WatchOptions, "command" | "onFailure"> {
  exec?: string;
  wake?: "codex";
  onFailure?: string[];
}

const KINDS = ["wire", "knock", "tombstone_notice", "approval_notice", "space_notice"];
const DAY_S = 86_400;

/** The command that `watch`, `space work` and `approval watch` run. */
export const COMMAND = {
  usage: "[command...]",
  description: "program and arguments, after --; started without a shell",
};
export const EXEC = [
  "--exec <line>",
  "run this line with /bin/sh instead (Windows: cmd.exe); nothing is inserted into it",
] as const;
export const REPLY = [
  "--reply",
  "send standard output as a reply: a JSON object or list as payload, anything else as text",
] as const;
export const TIMEOUT = [
  "--timeout <seconds>",
  "end a command that takes longer",
  integerBetween(1, DAY_S),
] as const;
export const GRACE = [
  "--grace <seconds>",
  "time for running commands to end after a signal",
  integerBetween(0, DAY_S),
  20,
] as const;

const HELP = `\
The command gets the item as a JSON line on standard input, as inbox --follow --json prints it, and its main fields as
variables: WIREROOM_KIND, WIREROOM_ID, WIREROOM_FROM, WIREROOM_THREAD_ID, WIREROOM_REPLY_TO, WIREROOM_SPACE,
WIREROOM_SCHEMA_REF, WIREROOM_TEXT, WIREROOM_CREATED_AT and WIREROOM_ATTEMPT. A field that an item lacks is not set, and
neither is a text with NUL. Nothing of an item is inserted into the command. In your own scripts, quote the variables, and
never pass them to eval: other agents have written them. In the command, wireroom acts as the same handle as the watch.

If the command fails, it is run again, and later items of its thread wait. After the last attempt, the item goes to a file for
dead letters, whose name the watch prints when it starts, and with --reply, its sender gets the reply
"[no answer: the command for this wire failed]". A program that is missing (exit code 126 or 127) ends the watch instead. To run
the commands of the stored items again, stop the watch, and start it once with the same options and --dead-letters. A command can
run twice if the machine or the watch is killed, so let it check what it has done: WIREROOM_ID stays the same.

With --wake codex, the watch puts a fixed line, without words of others, into the queue of the session of Codex that has run
wireroom hook last for the handle, and acknowledges nothing. Codex runs the line when it is idle.

Items that the filters leave out stay unread for other readers, and at most 100 unread items are seen, so a sender of 100 others
hides newer ones. --pass acknowledges them instead. In a space, each watch has a position of its own, and your own wires are left
out.

One watch can run for each handle, space and --name. SIGTERM and Ctrl-C end it: no command starts, and running ones have
--grace seconds. A second signal kills them. With --json, the log is printed as JSON lines on standard output, and the
output of commands goes to standard error.`;

export const add = command<WatchFlags, [string[]]>({
  name: "watch",
  description: "run a command for each new item, and acknowledge the item when the command exits with 0",
  arguments: [COMMAND],
  options: (command) =>
    addOriginOptions(command)
      .option(...EXEC)
      .addOption(
        new Option(
          "--wake <host>",
          "instead of a command, wake the idle session of this host that has run wireroom hook last",
        ).choices(["codex"]),
      )
      .option("--space <space>", "watch the wires of a space instead of the inbox")
      .addOption(
        new Option("--start <where>", "where to start in a space that was never watched before")
          .choices(["latest", "beginning"])
          .default("latest"),
      )
      .option("--from <handle>", "only items from this handle; repeatable", collectValues)
      .option("--schema <ref>", "only wires with a payload of this schema; repeatable", collectValues)
      .option(
        "--kind <kind>",
        `only items of this kind: ${KINDS.join(", ")}; repeatable`,
        collectAmong(KINDS),
      )
      .option(
        "--max-hops <n>",
        "acknowledge a wire without running the command if more replies of agents lead to it",
        integerBetween(0, 1_000_000),
        30,
      )
      .option("--pass", "acknowledge the items that these filters leave out, instead of leaving them unread")
      .option(...REPLY)
      .option(
        "--concurrency <n>",
        "number of commands that run at the same time; items of one thread stay in order",
        integerBetween(1, 100),
        1,
      )
      .option(...TIMEOUT)
      .option("--retries <n>", "further attempts if the command fails", integerBetween(0, 1_000_000), 4)
      .option(
        "--retry-delay <seconds>",
        "time before the first retry; doubles each time, up to a minute",
        integerBetween(0, 60),
        1,
      )
      .option(
        "--on-failure <action...>",
        "if the last attempt fails: dead-letter FILE, stop, or skip (default: dead-letter, with a file in the configuration folder)",
      )
      .option(...GRACE)
      .option("--once", "end when nothing is left")
      .option("--dead-letters", "handle the items of the file for dead letters instead, and end")
      .addOption(
        new Option("--name <name>", "name of this watch, for several watches of one handle")
          .argParser(parseName)
          .default("", "no name"),
      ),
  help: HELP,
  examples: [
    "wireroom watch -- ./handle-item",
    `wireroom watch --kind wire --reply --exec 'echo "You asked: $WIREROOM_TEXT"'`,
    `wireroom watch --kind wire --reply --exec 'claude -p "Answer this message."'`,
    "wireroom watch --schema @acme/order --concurrency 4 --timeout 60 \\\n      --on-failure dead-letter failed.jsonl -- ./order",
    "wireroom watch --wake codex --relation contact,same_account",
    `wireroom watch --space ops --exec 'logger -- "$WIREROOM_TEXT"'`,
  ],
  run: async (session, flags, command) => {
    const { wake, exec, onFailure, space, ...others } = flags;
    if (wake) {
      rejectBesideWake(flags, command);
      const { wakeCodex } = await import("../../services/hook/codex.js");
      return wakeCodex(session, { relation: flags.relation, sentBy: flags.sentBy });
    }
    if (!flags.reply && command.includes("--reply"))
      session.output.warn("warning: --reply comes after --, where it is an argument of the command");
    const options = {
      ...others,
      space: space?.replace(/^#/, ""),
      command: commandLine("watch", exec, command),
      onFailure: onFailure ? failureAction(onFailure) : ({ action: "dead-letter" } as const),
    };
    if (flags.deadLetters && options.onFailure.action !== "dead-letter")
      throw new Failure(
        "USAGE",
        "--dead-letters needs the file for dead letters: --on-failure dead-letter FILE",
      );
    const { watch } = await import("../../services/watch/watch.js");
    await watch(session, options);
  },
});

/** Rejects options that have no effect with `--wake`, which acknowledges nothing and runs no command. */
function rejectBesideWake(flags: WatchFlags, command: readonly string[]): void {
  const others = ["exec", "space", "from", "schema", "kind", "pass", "reply", "once", "deadLetters"] as const;
  if (command.length > 0 || others.some((name) => flags[name] !== undefined))
    throw new Failure(
      "USAGE",
      "--wake accepts no command, and of the other options only --relation and --sent-by",
    );
}

/** @param name name of the calling command in error messages */
export function commandLine(
  name: string,
  shell: string | undefined,
  [program, ...args]: readonly string[],
): CommandLine {
  if (shell?.trim() === "") throw new Failure("USAGE", "--exec needs a command, not an empty line");
  if (shell !== undefined && program === undefined) return { shell };
  if (shell === undefined && program !== undefined) return { program, args };
  throw new Failure(
    "USAGE",
    shell === undefined
      ? `${name} needs a command: put it after --, or use --exec`
      : `${name} accepts either --exec or a command after --, not both`,
    program === undefined ? [`Show examples: wireroom ${name} --help`] : handleHints(program),
  );
}

export function failureAction([action, file, ...others]: readonly string[]): WatchOptions["onFailure"] {
  if (others.length === 0) {
    if ((action === "stop" || action === "skip") && file === undefined) return { action };
    if (action === "dead-letter" && file !== undefined) return { action, file };
  }
  throw new Failure("USAGE", "--on-failure needs dead-letter FILE, stop or skip; put the command after --");
}

function parseName(text: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,39}$/i.test(text)) return text;
  throw new InvalidArgumentError('Use letters, digits, "_" and "-".');
}
