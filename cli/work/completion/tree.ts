/** The command tree as the shells' scripts need it. */
import type { Argument, Command, Option } from "commander";

/** Values of an option or argument: one of some words, a file, or free text. */
export type Values = { is: "words"; words: readonly string[] } | { is: "file" } | { is: "free" };

export interface OptionNode {
  /** `-f`, `--follow`. */
  names: string[];
  description: string;
  /** Undefined for an option without a value. */
  value: Values | undefined;
}

export interface CommandNode {
  /** `""` for `wireroom` itself, `/key/issue` for `wireroom key issue`. */
  path: string;
  commands: { name: string; description: string }[];
  /** Its own, and those that every command takes. */
  options: OptionNode[];
  /** Of its arguments, all together. */
  argument: Values | undefined;
}

/** Every command, parents first. */
export function commandNodes(program: Command): CommandNode[] {
  return nodesOf(program, "");
}

function nodesOf(command: Command, path: string): CommandNode[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const node: CommandNode = {
    path,
    commands: children.map((child) => ({ name: child.name(), description: child.description() })),
    options: options.map(optionNode),
    argument: argumentOf(command.registeredArguments),
  };
  // `help` is made up by commander, and takes the names of the other commands.
  const own = children.filter((child) => command.commands.includes(child));
  return [node, ...own.flatMap((child) => nodesOf(child, `${path}/${child.name()}`))];
}

function optionNode(option: Option): OptionNode {
  const names = [option.short, option.long].filter((name) => name !== undefined);
  const takesValue = option.required || option.optional;
  const [, placeholder = ""] = /[<[]([^>\]]*)/.exec(option.flags) ?? [];
  return {
    names,
    description: option.description,
    value: takesValue ? valuesOf(option.argChoices, placeholder) : undefined,
  };
}

function argumentOf(args: readonly Argument[]): Values | undefined {
  const all = args.map((argument) => valuesOf(argument.argChoices, argument.name()));
  const words = all.flatMap((values) => (values.is === "words" ? values.words : []));
  if (words.length > 0) return { is: "words", words };
  return all.find(({ is }) => is === "file") ?? all[0];
}

function valuesOf(choices: readonly string[] | undefined, name: string): Values {
  if (choices) return { is: "words", words: choices };
  return /^(file|folder|path)$/i.test(name) ? { is: "file" } : { is: "free" };
}
