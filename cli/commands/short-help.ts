/** The page of `wireroom --help`: describes the first commands, and names all others. */
import type { Command, Help } from "commander";
import { HEADINGS } from "./headings.js";

const FIRST = "init demo status handle key approval dashboard console send reply inbox watch mcp".split(" ");
const FIRST_WIDTH = Math.max(...FIRST.map((name) => name.length));
const INDENT = "  ";

export function shortHelp(program: Command, helper: Help): string {
  const commands = helper.visibleCommands(program);
  const isFirst = (command: Command) => FIRST.includes(command.name());
  const described = commands
    .filter(isFirst)
    .map((command) => helper.formatItem(command.name(), FIRST_WIDTH, command.description(), helper));
  const width = helper.helpWidth! - INDENT.length;
  const named = Object.values(HEADINGS).map((heading) => {
    const others = commands.filter((command) => command.helpGroup() === heading && !isFirst(command));
    const names = others.map((command) => command.name()).join(", ");
    return helper.boxWrap(`${heading} ${names}`, width).replaceAll(/^/gm, INDENT);
  });
  const sections = [
    [`Usage: ${helper.commandUsage(program)}`],
    [program.description()],
    ["First commands:", ...described],
    ["Other commands:", ...named],
    [
      "To describe one: wireroom COMMAND --help",
      "To describe all, and the options of every command: wireroom help all",
    ],
  ];
  return `${sections.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}
