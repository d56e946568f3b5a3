import type { Command } from "commander";
import { Failure } from "../failure.js";

/** Returns whether the arguments contain `--json` or `--jq`. Works even if the command line is invalid. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? undefined : end).some((word) => /^--(json|jq)(=|$)/.test(word));
}

export function addJsonOptions(program: Command): void {
  program
    .option(
      "--json [fields]",
      "print results and errors as JSON; only these fields, if a list is given",
      fieldsOf,
    )
    .option("--jq <expression>", "print the results of a jq expression on that JSON");
}

function fieldsOf(text: string): true | string[] {
  return text === "" ? true : text.split(",").map((name) => name.trim());
}

const LIST = /^[a-z_]\w*(,[a-z_]\w*)*$/i;

/**
 * Attaches a list of fields to `--json`: `--json id,uri` becomes `--json=id,uri`. If the command accepts
 * another argument, a single word after `--json` is that argument, as in `send @bob --json hello`. A list
 * such as `id,uri` could then mean either, so the function throws `USAGE`.
 */
export function withJsonFields(program: Command, args: readonly string[]): string[] {
  const end = args.indexOf("--");
  const at = args.findIndex((word, index) => word === "--json" && (end < 0 || index < end));
  if (at < 0) return [...args];
  const { command, operands } = parse(program, args);
  const next = args[at + 1];
  const before = args.slice(0, at);
  const isOperand = next !== undefined && operands.includes(at + 1) && command.commands.length === 0;
  if (!isOperand || !LIST.test(next)) return [...before, "--json=", ...args.slice(at + 1)];
  const { registeredArguments } = command;
  const isFull =
    operands.length > registeredArguments.length && registeredArguments.every(({ variadic }) => !variadic);
  if (isFull) return [...before, `--json=${next}`, ...args.slice(at + 2)];
  if (!next.includes(",")) return [...before, "--json=", ...args.slice(at + 1)];
  throw new Failure(
    "USAGE",
    `${next} after --json may be fields or an argument: write --json=${next} for fields, or put --json elsewhere`,
  );
}

/** Returns the command that a command line calls, and the indices of its arguments. */
function parse(program: Command, args: readonly string[]): { command: Command; operands: number[] } {
  let command = program;
  const operands: number[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index]!;
    if (word === "--") break;
    if (word.length > 1 && word.startsWith("-")) {
      if (takesNextWord(command, word, args[index + 1])) index++;
      continue;
    }
    const child =
      operands.length === 0
        ? command.commands.find((each) => each.name() === word || each.aliases().includes(word))
        : undefined;
    if (child) command = child;
    else operands.push(index);
  }
  return { command, operands };
}

/** Returns whether commander takes the next word as the option's value. Always false for `--json`. */
function takesNextWord(command: Command, word: string, next = "-"): boolean {
  const option = command.options.find(({ short, long }) => short === word || long === word);
  if (option) return option.required || (option.optional && word !== "--json" && !next.startsWith("-"));
  return command.parent ? takesNextWord(command.parent, word, next) : false;
}
