/** `docs/cli.md`, made from the commands themselves. */
import type { Command } from "commander";
import { HEADINGS } from "../commands/headings.js";
import { buildProgram } from "../program.js";
import { afterHelp, cell, commandSection, titleOf } from "./command.js";
import { CONVENTIONS, environmentSection, exitCodeSection, PROFILES } from "./conventions.js";

/** The whole page, as Markdown. */
export async function referencePage(): Promise<string> {
  const program = await buildProgram();
  const groups = Object.values(HEADINGS)
    .map((heading) => ({
      heading,
      commands: program.commands.filter((command) => headingOf(command) === heading),
    }))
    .filter(({ commands }) => commands.length > 0);
  return `${[
    "# The command `wireroom`",
    "Made from the commands themselves by `npm run generate`; `wireroom COMMAND --help` says the same.",
    ...afterHelp(program),
    ...groups.map(({ heading, commands }) => contents(heading, commands)),
    CONVENTIONS,
    sharedOptions(program),
    exitCodeSection(),
    environmentSection(program),
    PROFILES,
    ...groups.flatMap(({ heading, commands }) => [
      `## ${heading.replace(/:$/, "")}`,
      ...commands.flatMap((command) => commandSection(command)),
    ]),
  ].join("\n\n")}\n`;
}

function headingOf(command: Command): string {
  return command.helpGroup() || HEADINGS.agent;
}

function contents(heading: string, commands: readonly Command[]): string {
  const links = commands.map((command) => {
    const title = titleOf(command);
    return `[${command.name()}](#${title.replaceAll(" ", "-")})`;
  });
  return `${heading} ${links.join(" · ")}`;
}

function sharedOptions(program: Command): string {
  const rows = program
    .createHelp()
    .visibleOptions(program)
    .map(({ flags, description }) => `| \`${flags}\` | ${cell(description)} |`);
  return ["## Options of every command", ["| option | |", "|---|---|", ...rows].join("\n")].join("\n\n");
}
