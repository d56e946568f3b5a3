/** Declares commands: names, arguments, options, help texts and what they do. */
import { Argument, type Command, InvalidArgumentError } from "commander";
import { type CommandHandler, withSession } from "./with-session.js";

export interface CommandText extends HelpText {
  name: string;
  description: string;
  /** The usage line, if it cannot be derived from the arguments. */
  usage?: string;
  arguments?: readonly {
    usage: string;
    description: string;
    choices?: readonly string[];
    /** Advice for a value that is not among the choices. */
    otherwise?: string;
  }[];
}

interface HelpText {
  /** Text before the examples. */
  help?: string;
  examples?: string | readonly string[];
}

interface CommandDeclaration<Flags, Arguments extends readonly unknown[]> extends CommandText {
  options?(command: Command): Command;
  run: CommandHandler<Flags, Arguments>;
}

/** Adds a declared command to its parent. */
export type AddCommand = (parent: Command) => void;

export function command<Flags = object, Arguments extends readonly unknown[] = string[]>(
  declared: CommandDeclaration<Flags, Arguments>,
): AddCommand {
  return (parent) => {
    const added = addCommand(parent, declared);
    declared.options?.(added);
    added.action(withSession(declared.run));
  };
}

/** Declares a command with subcommands, such as `wireroom block add|list|remove`. */
export function noun(
  name: string,
  description: string,
  commands: readonly AddCommand[],
  text: HelpText = {},
): AddCommand {
  return (program) => {
    const parent = addCommand(program, { name, description, ...text });
    for (const add of commands) add(parent);
  };
}

export function addCommand(parent: Command, text: CommandText): Command {
  const added = parent.command(text.name).description(text.description);
  for (const { usage, description, choices, otherwise } of text.arguments ?? []) {
    const argument = new Argument(usage, description);
    added.addArgument(choices ? argument.choices(choices) : argument);
    if (choices && otherwise !== undefined)
      argument.argParser((value) => {
        if (choices.includes(value)) return value;
        throw new InvalidArgumentError(`${otherwise} Allowed choices are ${choices.join(", ")}.`);
      });
  }
  if (text.usage !== undefined) added.usage(text.usage);
  const examples = [text.examples ?? []].flat().map((example) => `\n  $ ${example}`);
  const list = examples.length > 0 && `Example${examples.length > 1 ? "s" : ""}:${examples.join("")}`;
  const paragraphs = [text.help, list].filter(Boolean);
  return paragraphs.length > 0 ? added.addHelpText("after", `\n${paragraphs.join("\n\n")}`) : added;
}
