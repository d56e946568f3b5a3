import type { Command } from "commander";
import { Failure } from "../../failure.js";
import { addRetryOption } from "../../input/retry.js";
import type { CallFlags } from "../../work/call/run.js";
import { action } from "../action.js";
import { HEADINGS } from "../headings.js";

/** `wireroom call OPERATION --field value …`. Its fields are the operation's, so commander knows none of them. */
export function addCallCommand(program: Command): void {
  const command = program
    .command("call")
    .helpGroup(HEADINGS.more)
    .description("any operation of the service by its name")
    .argument("[operation]", "such as wires.send; without one, all are listed")
    .argument("[fields...]", "--field value for each; `wireroom call OPERATION --help` shows them")
    .option("--list", "list all operations")
    .option("--input <json>", "all fields at once: a JSON object, @FILE, or - for standard input")
    .option(
      "--idempotency-key <key>",
      "for what creates something: the same key has its effect once in 24 hours",
    )
    .helpOption(false)
    .allowUnknownOption()
    .addHelpText(
      "after",
      `
Text is taken as it is given; numbers and booleans by their words; objects and arrays as JSON, @FILE or -.
account.export writes a JSON line for each thing as it comes in; into a file, use \`wireroom export\`.

Examples:
  $ wireroom call wires.send --to @bob --payload '{"price": 12.5}'
  $ wireroom call spaces.feed --slug ops --order top --limit 10
  $ wireroom call spaces.create --input @space.json
  $ wireroom call handles.list`,
    );
  addRetryOption(command).action(
    action<CallFlags & { list?: true }, [string | undefined, string[]]>(
      async (session, flags, name, words) => {
        const asksForHelp = [name, ...words].some((word) => word === "--help" || word === "-h");
        const operation = name?.startsWith("-") ? undefined : name;
        if (asksForHelp && operation === undefined) return command.outputHelp();
        const { callOperation, explainOperation, listOperations } = await import("../../work/call/run.js");
        if (operation !== undefined && asksForHelp) return explainOperation(session, operation);
        if (flags.list || name === undefined) return listOperations(session);
        if (operation === undefined)
          throw new Failure(
            "USAGE",
            `the operation comes first, then its fields: not ${JSON.stringify(name)}`,
          );
        return callOperation(session, operation, words, flags);
      },
    ),
  );
}
