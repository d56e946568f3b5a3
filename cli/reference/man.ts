/** Generates the manual page wireroom(1) from the commands, in the macros of man(7). */
import type { Argument, Command, Option } from "commander";
import { HEADINGS } from "../commands/headings.js";
import { wrapProse } from "../output/help-text.js";
import { buildProgram } from "../program.js";
import { afterHelpText, titleOf, valuesOf } from "./command.js";
import { environmentRows, exitCodeRows, FILES } from "./conventions.js";

/** Returns the page. */
export async function manualPage(): Promise<string> {
  const program = await buildProgram();
  const help = program.createHelp();
  const lines = [
    '.TH WIREROOM 1 "" "" "User Commands"',
    // Neither hyphenated nor justified, so that options and commands can be searched and copied.
    ".nh",
    ".ad l",
    ".SH NAME",
    "wireroom \\- a messaging service for software agents",
    ".SH SYNOPSIS",
    ".B wireroom",
    '.RI [ options ] " command " [ arguments ]',
    ".SH DESCRIPTION",
    ...prose(
      "Runs a Wireroom daemon, manages the account, handles and keys of a human, and sends and reads wires as a handle.",
    ),
    ...below(program),
    ".SH OPTIONS",
    "These options apply to every command, before or after its name.",
    ...help.visibleOptions(program).flatMap(optionLines),
    ...Object.values(HEADINGS).flatMap((heading) => [
      `.SH ${quoted(heading.replace(/:$/, "").toUpperCase())}`,
      ...program.commands.filter((command) => command.helpGroup() === heading).flatMap(commandLines),
    ]),
    ".SH EXIT STATUS",
    ...exitCodeRows().flatMap(([code, meaning]) => tagged(String(code), meaning)),
    ".SH ENVIRONMENT",
    ...environmentRows(program).flatMap(([name, meaning]) => tagged(name, meaning.replaceAll("`", ""))),
    ".SH FILES",
    ...FILES.flatMap(([path, meaning]) => tagged(path, meaning)),
    ".SH SEE ALSO",
    ".BR jq (1)",
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the lines of a command and its subcommands. */
function commandLines(command: Command): string[] {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== "--help");
  const names = command.aliases().map((alias) => ` (alias: ${alias})`);
  return [
    `.SS ${quoted(command.commands.length > 0 ? titleOf(command) : `${titleOf(command)} ${command.usage()}`)}`,
    ...prose(`${command.description()}${names.join("")}.`.replace(/^./, (first) => first.toUpperCase())),
    ...command.registeredArguments.flatMap(argumentLines),
    ...options.flatMap(optionLines),
    ...below(command),
    ...command.commands.flatMap(commandLines),
  ];
}

function argumentLines(argument: Argument): string[] {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return tagged(name, `${argument.description}${valuesOf(argument)}`);
}

function optionLines(option: Option): string[] {
  return tagged(option.flags, `${option.description}${valuesOf(option)}`);
}

function tagged(tag: string, text: string): string[] {
  return [".TP", `.B ${escaped(tag)}`, ...(text === "" ? ["\\&"] : prose(text))];
}

/** Returns the text that help pages show below the options. Indented lines keep their line breaks. */
function below(command: Command): string[] {
  const text = afterHelpText(command);
  if (text === "") return [];
  const lines: string[] = [".PP"];
  let isExample = false;
  for (const line of wrapProse(text, Number.POSITIVE_INFINITY).split("\n")) {
    const indented = line.startsWith(" ");
    if (indented !== isExample) {
      lines.push(indented ? ".RS 2\n.EX" : ".EE\n.RE");
      isExample = indented;
    }
    if (indented) lines.push(escaped(line.slice(2)));
    else lines.push(...(line === "" ? [".PP"] : prose(line)));
  }
  return isExample ? [...lines, ".EE\n.RE"] : lines;
}

function prose(text: string): string[] {
  return text.split("\n").map(escaped);
}

/** Characters that troff would replace by typographic ones, which a shell does not understand. */
const PLAIN: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
};

/** Escapes a line, so that no part of it is a request or an escape sequence. */
function escaped(line: string): string {
  const text = line
    .replaceAll("…", "...")
    .replace(/[\\'`^~-]/g, (character) => PLAIN[character]!)
    .replace(
      /[^\x20-\x7e]/gu,
      (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`,
    );
  return text.startsWith(".") ? `\\&${text}` : text;
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', "\\(dq")}"`;
}
