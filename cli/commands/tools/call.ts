import type { Command } from "commander";
import { Failure } from "../../failure.js";
import type { CallFlags } from "../../services/call/run.js";
import { addCommand } from "../command.js";
import { addOnceOptions } from "../operation.js";
import { withSession } from "../with-session.js";

/** Adds `wireroom call`. commander cannot parse its `--field value` pairs, which depend on the operation. */
export function add(program: Command): void {
  const command = addCommand(program, {
    name: "call",
    description: "call an API operation by its name",
    arguments: [
      {
        usage: "[operation]",
        description: "name of the operation, such as wires.send; omit it to list them",
      },
      {
        usage: "[fields...]",
        description: "fields as --field value; wireroom call OPERATION --help lists them",
      },
    ],
    help: `\
Pass objects and arrays as JSON, as @FILE, or as - for standard input; pass other values as they are.
account.export prints JSON lines. To export into a file, use wireroom export.`,
    examples: [
      `wireroom call wires.send --to @bob --payload '{"price": 12.5}'`,
      "wireroom call spaces.feed --slug ops --order top --limit 10",
      "wireroom call spaces.create --input @space.json",
      "wireroom call handles.list",
    ],
  })
    .option("--list", "list the operations that this version knows")
    .option("--input <json>", "all fields as one JSON object, @FILE, or - for standard input")
    .helpOption(false)
    .allowUnknownOption();
  addOnceOptions(command, "take effect once").action(
    withSession<CallFlags & { list?: true }, [string | undefined, string[]]>(
      async (session, flags, name, words) => {
        const asksForHelp = [name, ...words].some((word) => word === "--help" || word === "-h");
        const operation = name?.startsWith("-") ? undefined : name;
        if (asksForHelp && operation === undefined) return command.outputHelp();
        const { callOperation, printOperationHelp, listOperations } = await import(
          "../../services/call/run.js"
        );
        if (operation !== undefined && asksForHelp) return printOperationHelp(session, operation);
        if (flags.list || name === undefined) return listOperations(session);
        if (operation === undefined)
          throw new Failure(
            "USAGE",
            `expected the name of an operation before the fields, not ${JSON.stringify(name)}`,
          );
        return callOperation(session, operation, words, flags);
      },
    ),
  );
}
