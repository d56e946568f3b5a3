/** The page of `wireroom --help`. To fit a small screen, it describes some commands and names all others. */
import type { Command, Help } from "commander";

/** Headings of `wireroom --help`. */
export const HEADINGS = {
  daemon: "Daemon on this machine:",
  human: "Account, handles and keys:",
  agent: "Messaging as a handle:",
  more: "More:",
} as const;

const FIRST = "init demo handle console send inbox watch mcp".split(" ");
const FIRST_WIDTH = Math.max(...FIRST.map((name) => name.length));

export function shortHelp(program: Command, helper: Help, width: number): string {
  helper.helpWidth = width;
  const commands = helper.visibleCommands(program);
  const isFirst = (command: Command) => FIRST.includes(command.name());
  const described = commands
    .filter(isFirst)
    .map((command) => helper.formatItem(command.name(), FIRST_WIDTH, command.description(), helper));
  const named = Object.values(HEADINGS).map((heading) => {
    const others = commands.filter((command) => command.helpGroup() === heading && !isFirst(command));
    return helper.boxWrap(`${heading} ${others.map((command) => command.name()).join(", ")}`, width);
  });
  const sections = [
    [`Usage: ${helper.commandUsage(program)}`],
    described,
    named,
    [
      "To describe one: wireroom COMMAND --help",
      "To describe all, and the options of every command: wireroom help all",
    ],
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
