/** Formats one command and its subcommands as Markdown for the pages of docs/cli. */
import type { EventEmitter } from "node:events";
import type { Argument, Command, Option } from "commander";
import { pathOf } from "../commands/cli-command.js";
import { wrapProse } from "../output/help-text.js";

const SHARED_OPTIONS = "Options of several commands";
/** An option that at least this many commands of a page have is listed only once. */
const MIN_COMMANDS = 3;

/** Returns the rows of the options that several of the commands have, and the section that lists them. */
export function sharedOptions(commands: readonly Command[]): {
  rows: ReadonlySet<string>;
  section: string[];
} {
  const counts = new Map<string, number>();
  for (const row of commands.flatMap((command) => [command, ...command.commands]).flatMap(optionRows))
    counts.set(row, (counts.get(row) ?? 0) + 1);
  const frequent = [...counts].filter(([, count]) => count >= MIN_COMMANDS).sort(([, a], [, b]) => b - a);
  const byFlags = new Map<string, string>();
  for (const [row] of frequent) {
    // A command's section names a shared option only by its flags, so list only one meaning for these flags.
    const flags = row.split("`")[1]!;
    if (!byFlags.has(flags)) byFlags.set(flags, row);
  }
  const rows = [...byFlags.values()];
  return {
    rows: new Set(rows),
    section: rows.length === 0 ? [] : [`## ${SHARED_OPTIONS}`, table("option", rows)],
  };
}

/** @param shared rows of options that the section only names */
export function commandSection(command: Command, shared: ReadonlySet<string>): string[] {
  const title = pathOf(command);
  const args = command.registeredArguments.map(argumentRow);
  const options = optionRows(command).filter((row) => !shared.has(row));
  return [
    `${command.parent?.parent ? "###" : "##"} ${title}`,
    sentence(command.description()),
    ...command.aliases().map((alias) => `Alias: \`${alias}\`.`),
    ...(command.commands.length > 0 ? [children(command)] : []),
    ...(args.length > 0 ? [`\`\`\`\n${title} ${command.usage()}\n\`\`\``] : []),
    ...(args.length + options.length > 0 ? [table("argument or option", [...args, ...options])] : []),
    ...namesOf(command, shared),
    ...afterHelp(command),
    ...command.commands.flatMap((child) => commandSection(child, shared)),
  ];
}

function namesOf(command: Command, shared: ReadonlySet<string>): string[] {
  const names = optionsOf(command).flatMap((option) =>
    shared.has(optionRow(option)) ? [`\`${option.long}\``] : [],
  );
  if (names.length === 0) return [];
  return [`[${SHARED_OPTIONS}](#${SHARED_OPTIONS.toLowerCase().replaceAll(" ", "-")}): ${names.join(", ")}.`];
}

const optionRows = (command: Command) => optionsOf(command).map(optionRow);

function optionsOf(command: Command): Option[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== "--help");
}

/** Returns the anchor of a command on its page. */
export const anchorOf = (command: Command) => pathOf(command).replaceAll(" ", "-");

/** Returns the first example in a command's help. */
export function exampleOf(command: Command): string {
  return /^```sh\n(.+)/m.exec(afterHelp(command).join("\n"))![1]!;
}

function children({ commands }: Command): string {
  return `Commands: ${commands.map((child) => `[${child.name()}](#${anchorOf(child)})`).join(" · ")}`;
}

export function table(title: string, rows: readonly string[]): string {
  return [`| ${title} | |`, "|---|---|", ...rows].join("\n");
}

function argumentRow(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "…" : ""}${argument.required ? "" : " (optional)"}`;
  return `| \`${name}\` | ${cell(argument.description + valuesOf(argument))} |`;
}

function optionRow(option: Option): string {
  return `| \`${option.flags}\` | ${cell(option.description + valuesOf(option))} |`;
}

/** Returns the accepted values and the default, such as ` (newest, oldest; default: newest)`. */
function valuesOf(described: Argument | Option): string {
  const parts = [described.argChoices?.join(", "), defaultOf(described)].filter((part) => part !== undefined);
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`;
}

function defaultOf(described: Argument | Option): string | undefined {
  const { defaultValue, defaultValueDescription } = described;
  const takesValue = !("flags" in described) || described.required || described.optional;
  return defaultValue === undefined || !takesValue
    ? undefined
    : `default: ${defaultValueDescription ?? String(defaultValue)}`;
}

export function afterHelp(command: Command): string[] {
  const paragraphs = wrapProse(afterHelpText(command), Number.POSITIVE_INFINITY).split(/\n{2,}/);
  return paragraphs.filter((paragraph) => paragraph !== "").map(paragraphOf);
}

function afterHelpText(command: Command): string {
  let text = "";
  const write = (part: string) => {
    text += part;
  };
  // commander prints these texts in event listeners, but its types do not declare `emit`.
  (command as unknown as EventEmitter).emit("afterHelp", { command, error: false, write });
  return text.trim();
}

function paragraphOf(paragraph: string): string {
  const title = /^ {2}/.test(paragraph) ? "" : paragraph.split("\n", 1)[0]!;
  const lines = paragraph.split("\n").slice(title === "" ? 0 : 1);
  if (lines.length === 0 || !lines.every((line) => line.startsWith("  "))) return cell(paragraph);
  const isShell = lines.every((line) => /^ {2}(\$| {2})/.test(line));
  const code = lines.map((line) => line.slice(2).replace(/^\$ /, ""));
  return `${title && `${cell(title)}\n\n`}\`\`\`${isShell ? "sh" : ""}\n${code.join("\n")}\n\`\`\``;
}

function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return cell(start.endsWith(".") ? start : `${start}.`);
}

export function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
