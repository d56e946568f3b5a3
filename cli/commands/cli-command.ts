import {
  type AddHelpTextContext,
  type AddHelpTextPosition,
  type Argument,
  Command,
  CommanderError,
  type ErrorOptions,
  type HelpContext,
  type Option,
} from "commander";
import { closestWord } from "../../daemon/closest-word.js";
import { EXIT } from "../exit-codes.js";
import { paintFor } from "../output/colours.js";
import { errorText } from "../output/error-text.js";
import { wrapLines, wrapProse } from "../output/help-text.js";
import type { ContextFlags } from "../output/hint-context.js";
import { jsonText, oneLine, safe } from "../output/safe.js";
import { shellQuoted } from "../output/shell-quote.js";
import { processIOOf, rootOf } from "../process-io.js";
import { shortHelp } from "./short-help.js";

/** A commander command whose usage errors name the command, an option's choices and an argument's meaning. */
export class CliCommand extends Command {
  /** True for `wireroom help all`: the help page then describes every command and option. */
  showsAll = false;

  /** True for a program whose usage errors are printed as JSON. */
  printsJson = false;

  /** Every command `show` has the alias `get`. */
  override createCommand(name?: string): CliCommand {
    const command = new CliCommand(name);
    return name === "show" ? command.alias("get") : command;
  }

  /** Adds a text to the help page, wrapped like the rest of the page. */
  override addHelpText(
    position: AddHelpTextPosition,
    text: string | ((context: AddHelpTextContext) => string),
  ): this {
    return super.addHelpText(position, (context) => {
      return wrapProse(typeof text === "string" ? text : text(context), this.#helpWidth(context.error));
    });
  }

  #helpWidth(isError: boolean): number {
    const { getOutHelpWidth, getErrHelpWidth } = this.configureOutput();
    return (isError ? getErrHelpWidth : getOutHelpWidth)?.() ?? HELP_WIDTH;
  }

  override error(message: string, options?: ErrorOptions): never {
    // Without this check, `wireroom mcp instal` would fail with "too many arguments" for `wireroom mcp`.
    if (options?.code === "commander.excessArguments" && this.#needsSubcommand())
      this.#failUnknown(this.args[0]!);
    const text = usageError(this, message, options?.code).replace(/^error: /, "");
    const { stderr, env } = processIOOf(this);
    if ((rootOf(this) as CliCommand).printsJson) {
      stderr.write(`${jsonText({ code: "USAGE", message: text.replaceAll("\n", " ") })}\n`);
    } else {
      const context = rootOf(this).opts<ContextFlags & { color?: boolean }>();
      const [problem, similar] = text.split(/\n\((Did you mean .*\?)\)$/s);
      const usage = options?.code?.startsWith("commander.") ? [`Show the usage: ${pathOf(this)} --help`] : [];
      const hints = [...(similar ? [similar] : []), ...usage];
      const paint = paintFor({ isTerminal: stderr.isTTY === true, flag: context.color, env });
      const width = stderr.isTTY ? stderr.columns : undefined;
      const explained = { message: safe(problem!), code: "USAGE", reasons: [], hints: hints.map(oneLine) };
      stderr.write(errorText(explained, { paint, context, width }, wrapLines));
    }
    throw new CommanderError(EXIT.usage, options?.code ?? "commander.error", text);
  }

  /** Prints the help text. Fails if the arguments name an unknown subcommand: `wireroom nothing --help`. */
  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    const [name] = this.args;
    if (name !== undefined && !name.startsWith("-") && this.#needsSubcommand()) {
      const commands = this.createHelp().visibleCommands(this);
      if (!commands.some((each) => each.name() === name || each.aliases().includes(name)))
        this.#failUnknown(name);
    }
    if (this.parent || this.showsAll) super.outputHelp(context as HelpContext);
    else this.#outputShortHelp(typeof context === "object" && context.error === true);
  }

  #outputShortHelp(isError: boolean): void {
    const { writeOut, writeErr } = this.configureOutput();
    (isError ? writeErr : writeOut)?.(shortHelp(this, this.createHelp(), this.#helpWidth(isError)));
  }

  /** commander calls this with `error` if a subcommand is missing or `help` names an unknown subcommand. */
  override help(context?: HelpContext | ((text: string) => string)): never {
    const [command, name] = this.args;
    if (command === "help" && name === "all" && !this.parent) {
      this.showsAll = true;
      return super.help();
    }
    if (typeof context === "object" && context.error && command === "help" && name !== undefined)
      this.#failUnknown(name);
    if (typeof context === "object" && context.error && (rootOf(this) as CliCommand).printsJson) {
      const names = this.commands.map((command) => command.name());
      return this.error(`${pathOf(this)} needs a command: choose one of ${names.join(", ")}`);
    }
    return super.help(context as HelpContext);
  }

  #needsSubcommand(): boolean {
    return this.commands.length > 0 && this.registeredArguments.length === 0;
  }

  /** Fails for an unknown subcommand. Calls an untyped commander method, which suggests a similar name. */
  #failUnknown(name: string): never {
    this.args = [name];
    return (this as unknown as { unknownCommand(): never }).unknownCommand();
  }
}

/** Width of a help page in a pipe, in columns. This is commander's default. */
export const HELP_WIDTH = 80;

function usageError(command: CliCommand, message: string, code: string | undefined): string {
  const subject = /'([^']*)'/.exec(message)?.[1] ?? "";
  switch (code) {
    case "commander.excessArguments":
      return tooManyArguments(command);
    case "commander.missingArgument":
      return `error: ${missingArgument(
        command,
        command.registeredArguments.find((each) => each.name() === subject),
      )}`;
    case "commander.missingMandatoryOptionValue":
      return `error: ${pathOf(command)} needs the option ${subject}${detailOf(optionOf(command, subject))}`;
    case "commander.invalidArgument":
      return (
        message.replace(
          /^error: command-argument value '(.*)' is invalid for argument '(.*?)'\./,
          "error: '$1' is invalid for the argument <$2>.",
        ) + similarChoice(message)
      );
    case "commander.unknownOption":
      if (message.includes("Did you mean")) return message;
      return `${message}${dashText(command, subject) || sibling(command, subject)}`;
    case "commander.unknownCommand": {
      const instead = INSTEAD[`${pathOf(command)} ${subject}`];
      if (instead !== undefined) return `error: ${instead}`;
      return `${message}${message.includes("Did you mean") ? "" : fewSubcommands(command)}`;
    }
    case "commander.optionMissingArgument":
      return `error: the option ${subject} needs a value${detailOf(optionOf(command, subject))}`;
    default:
      return message;
  }
}

/**
 * Reads the choices from the message, because the choices may be known only to the parser of an argument or
 * option.
 */
function similarChoice(message: string): string {
  const [, value = "", list] = /'([^']*)' is invalid.* Allowed choices are (.*)\./s.exec(message) ?? [];
  const choices = list?.split(", ") ?? [];
  const wrong = value.split(",").find((each) => !choices.includes(each));
  const meant = wrong && (choices.find((each) => each === MEANT[wrong]) ?? closestWord(wrong, choices));
  return meant ? `\n(Did you mean ${meant}?)` : "";
}

/** Words that people type by mistake, each with the choice or option that they mean. */
const MEANT: Readonly<Record<string, string>> = {
  knock: "contacts_only",
  everyone: "open",
  ack: "--done",
  acknowledge: "--done",
  yes: "on",
  true: "on",
  no: "off",
  false: "off",
};

function dashText(command: CliCommand, word: string): string {
  const text = command.registeredArguments.at(-1);
  if (!text || !FREE_TEXT.has(text.name())) return "";
  const before = command.registeredArguments.slice(0, -1).map(usageOf);
  return `; put -- before a text that starts with a dash: ${[pathOf(command), ...before, "--", shellQuoted(word)].join(" ")}`;
}

/** Suggests the command beside this one whose name is the option: `egress allow` for `egress set --allow`. */
function sibling({ parent }: CliCommand, option: string): string {
  const meant = parent?.commands.find((each) => `--${each.name()}` === option);
  return meant ? `\n(Did you mean ${pathOf(meant)}?)` : "";
}

/** Advice for commands that people expect but that do not exist. */
const INSTEAD: Readonly<Record<string, string>> = {
  "wireroom space delete":
    "a space cannot be deleted; to let only mods post: wireroom space update SPACE --posting-rights mods, or to give it away: wireroom space transfer SPACE @HANDLE",
  "wireroom schema list":
    "schemas are found by words, yours by the name of your handle: wireroom search schemas HANDLE; an earlier version: wireroom schema show @HANDLE/NAME@1",
  "wireroom schema delete":
    "a schema cannot be deleted, because wires may name it; to replace it, register a new version: wireroom schema register",
  "wireroom handle delete": "a handle is retired: wireroom handle retire @HANDLE",
  "wireroom key delete": "a key is revoked: wireroom key revoke KEY",
};

const MOST_NAMED_SUBCOMMANDS = 4;

function fewSubcommands({ parent, commands }: CliCommand): string {
  if (!parent || commands.length > MOST_NAMED_SUBCOMMANDS) return "";
  return `: choose one of ${commands.map((each) => each.name()).join(", ")}`;
}

/** Arguments that become part of the request's path. */
const NAMES = new Set(["handle", "space", "wire", "id", "ref"]);

export function emptyNameMessage(command: Command): string | undefined {
  const empty = command.registeredArguments.find((argument, index) =>
    [command.processedArgs[index]].flat().some((value) => NAMES.has(argument.name()) && isEmptyName(value)),
  );
  return empty && missingArgument(command, empty);
}

/** Returns whether a name is empty, or would change the request's path as `.` and `..` do. */
function isEmptyName(value: unknown): boolean {
  return typeof value === "string" && /^(?:[@#]?|\.\.?)$/.test(value);
}

function missingArgument(command: Command, argument: Argument | undefined): string {
  return `${pathOf(command)} needs ${usageOf(argument)}${detailOf(argument)}`;
}

function tooManyArguments(command: CliCommand): string {
  const { registeredArguments, args } = command;
  const usage = registeredArguments.map(usageOf).join(" ");
  const accepted = usage === "" ? "accepts no arguments" : `accepts ${usage}`;
  const last = registeredArguments.at(-1);
  const message = `error: ${pathOf(command)} ${accepted}, but got ${args.length}`;
  const late = args.find((word) => isOption(command, word));
  if (late !== undefined) return `${message} arguments; ${late} comes after --, where options are arguments`;
  if (!last) {
    const flag = MEANT[args[0]!] ?? `--${args[0]}`;
    return isOption(command, flag) ? `${message}\n(Did you mean ${pathOf(command)} ${flag}?)` : message;
  }
  const [subject, file] = args;
  if (optionOf(command, "--subject <subject>") && subject?.startsWith("@"))
    return `${message} arguments; name the subject with an option: ${pathOf(command)} ${shellQuoted(file!)} --subject ${shellQuoted(subject)}`;
  const hint = FREE_TEXT.has(last.name())
    ? `put the ${last.name()} in quotes: ${example(command, args)}`
    : last.argChoices
      ? `name one ${last.name()} at a time`
      : "put an argument that contains spaces in quotes";
  return `${message} arguments; ${hint}`;
}

function isOption(command: Command | null, word: string): boolean {
  return (
    command !== null && (command.options.some(({ long }) => long === word) || isOption(command.parent, word))
  );
}

const FREE_TEXT = new Set(["text", "intro", "words"]);

function example(command: CliCommand, args: readonly string[]): string {
  const before = args.slice(0, command.registeredArguments.length - 1);
  const text = args.slice(before.length).join(" ");
  return [pathOf(command), ...[...before, text].map(shellQuoted)].join(" ");
}

export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function usageOf(argument: Argument | undefined): string {
  if (!argument) return "";
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function optionOf(command: Command, flags: string): Option | undefined {
  return (
    command.options.find((option) => option.flags === flags) ??
    (command.parent ? optionOf(command.parent, flags) : undefined)
  );
}

function detailOf(described: Argument | Option | undefined): string {
  if (described?.argChoices) return `: choose one of ${described.argChoices.join(", ")}`;
  return described?.description ? `: ${described.description}` : "";
}
