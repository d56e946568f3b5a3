/** Declares `wireroom space work`, which shares the wires of a work queue among many workers. */
import { Failure } from "../../failure.js";
import { parseSpaceArgument } from "../../input/arguments.js";
import { integerBetween } from "../../input/values.js";
import type { ClaimOptions } from "../../services/watch/claims.js";
import { command } from "../command.js";
import { COMMAND, commandLine, EXEC, failureAction, GRACE, REPLY, TIMEOUT } from "../messaging/watch.js";

interface WorkFlags extends Omit<ClaimOptions, "command" | "onFailure"> {
  onFailure?: string[];
  exec?: string;
}

const DAY_S = 86_400;

const HELP = `\
The space needs a root rule with "claimable": true, and the handle must be its owner, a mod or a poster. Any number of
workers, in any number of processes and on any number of machines, share the space: each wire is claimed by one of
them. Exit code 0 finishes the wire for good; any other gives it back, and wires with the fewest attempts come first. A wire that
always fails is tried again without end, unless you give --max-attempts. After the last attempt, skip finishes the wire with the
reply "[failed after N attempts: …]"; dead-letter FILE also appends it to a file; stop gives it back and ends the worker.

The command gets the wire as with wireroom watch; WIREROOM_ATTEMPT counts all claims of the wire. With --reply, standard output is
sent as a reply that also finishes the wire: a worker that has lost its claim cannot answer, and its command is ended.

SIGTERM and Ctrl-C end the worker: running commands have --grace seconds, and what they do not finish is given back. If a worker
is killed, its command is ended, too, but not on Windows. The claim expires after --seconds, and another worker runs the command
again, so let it check what it has done.`;

export const WORK_COMMAND = command<WorkFlags, [string, string[]]>({
  name: "work",
  description:
    "claim the wires of a work queue, run a command for each, and finish those whose command exits with 0",
  arguments: [{ usage: "<space>", description: "name of the space, such as jobs" }, COMMAND],
  options: (program) =>
    program
      .option(...EXEC)
      .option(...REPLY)
      .option(
        "--seconds <n>",
        "time after which the claim of a worker that was killed expires",
        // The command of a killed worker may run on for a second.
        integerBetween(2, DAY_S),
        600,
      )
      .option("--concurrency <n>", "number of commands that run at the same time", integerBetween(1, 100), 1)
      .option(...TIMEOUT)
      .option(
        "--max-attempts <n>",
        "give up on a wire whose command fails when it was claimed so many times (default: never)",
        integerBetween(1, 1_000_000),
      )
      .option(
        "--on-failure <action...>",
        "if the last attempt fails: dead-letter FILE, stop, or skip (default: skip)",
      )
      .option(...GRACE)
      .option("--once", "end when no wire is open"),
  help: HELP,
  examples: [
    "wireroom space work jobs -- ./handle-job",
    `wireroom space work jobs --reply --exec 'claude -p "Do this job."'`,
    "wireroom space work builds --seconds 60 --max-attempts 3 \\\n      --on-failure dead-letter failed.jsonl -- make",
  ],
  run: async (session, { exec, onFailure, ...options }, space, words) => {
    if (onFailure && options.maxAttempts === undefined)
      throw new Failure(
        "USAGE",
        "--on-failure needs --max-attempts N, because a wire is otherwise tried without end",
      );
    const line = commandLine("space work", exec, words);
    const { workOnClaims } = await import("../../services/watch/claims.js");
    await workOnClaims(session, parseSpaceArgument(session, space), {
      ...options,
      command: line,
      onFailure: onFailure ? failureAction(onFailure) : { action: "skip" },
    });
  },
});
