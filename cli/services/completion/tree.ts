/** Converts the commands to a list of nodes, from which the completion scripts are generated. */
import type { Argument, Command, Option } from "commander";
import type { NameKind } from "./known-names.js";

/**
 * Possible values of an option or argument: fixed words, names that the machine knows, a file name, or free
 * text.
 */
export type Values =
  | { is: "words"; words: readonly string[] }
  | { is: "names"; kind: NameKind }
  | { is: "file" }
  | { is: "free" };

export interface OptionNode {
  /** Short and long name, such as `-f` and `--follow`. */
  names: string[];
  description: string;
  /** Undefined for an option without a value. */
  value: Values | undefined;
}

export interface CommandNode {
  /**
   * The names of the command after `wireroom`: `/key/issue` for `wireroom key issue`, and `""` for `wireroom`
   * itself.
   */
  path: string;
  commands: { name: string; description: string }[];
  /** Options of this command, and options that all commands share. */
  options: OptionNode[];
  /** Possible values of all arguments combined. */
  argument: Values | undefined;
}

/** Returns a node for each command. A command precedes its subcommands. */
export function commandNodes(program: Command): CommandNode[] {
  return nodesOf(program, "");
}

function nodesOf(command: Command, path: string): CommandNode[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const node: CommandNode = {
    path,
    commands: children.flatMap((child) =>
      [child.name(), ...child.aliases()].map((name) => ({ name, description: child.description() })),
    ),
    options: options.map(optionNode),
    argument: argumentOf(command.registeredArguments),
  };
  // commander adds the `help` command, which is not in `command.commands`. The scripts do not complete it.
  const own = children.filter((child) => command.commands.includes(child));
  const named = own.flatMap((child) =>
    [child.name(), ...child.aliases()].map((name) => [child, name] as const),
  );
  return [node, ...named.flatMap(([child, name]) => nodesOf(child, `${path}/${name}`))];
}

function optionNode(option: Option): OptionNode {
  const names = [option.short, option.long].filter((name) => name !== undefined);
  // An optional value is attached to the option, as in --json=id,uri.
  const takesValue = option.required;
  const [, placeholder = ""] = /[<[]([^>\]]*)/.exec(option.flags) ?? [];
  return {
    names,
    description: option.description,
    value: takesValue
      ? valuesOf(option.argChoices, option.long === "--profile" ? "profile" : placeholder)
      : undefined,
  };
}

function argumentOf(args: readonly Argument[]): Values | undefined {
  const all = args.map((argument) => valuesOf(argument.argChoices, argument.name()));
  const words = all.flatMap((values) => (values.is === "words" ? values.words : []));
  if (words.length > 0) return { is: "words", words };
  return all.find(({ is }) => is === "file" || is === "names") ?? all[0];
}

function valuesOf(choices: readonly string[] | undefined, name: string): Values {
  if (choices) return { is: "words", words: choices };
  if (name === "profile") return { is: "names", kind: "profiles" };
  if (/^(handle|to|targets?(\.\.\.)?)$/.test(name)) return { is: "names", kind: "handles" };
  return /^(file|folder|path)$/i.test(name) ? { is: "file" } : { is: "free" };
}
