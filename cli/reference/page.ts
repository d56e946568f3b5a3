/** Generates docs/cli.md and the pages of docs/cli from the commands. */
import type { Command } from "commander";
import { HEADINGS } from "../commands/short-help.js";
import { buildProgram } from "../program.js";
import { afterHelp, anchorOf, cell, commandSection, exampleOf, sharedOptions, table } from "./command.js";
import { CONVENTIONS, environmentSection, exitCodeSection, PROFILES } from "./conventions.js";

const INDEX = "docs/cli.md";

/** The page of each group of commands. */
const GROUP_PAGES: Readonly<Record<keyof typeof HEADINGS, string>> = {
  daemon: "cli/daemon.md",
  human: "cli/account.md",
  agent: "cli/messaging.md",
  more: "cli/more.md",
};

/** The commands that most readers look for. */
const MOST_USED = [
  "send",
  "inbox",
  "watch",
  "handle create",
  "key issue",
  "mcp install",
  "approval list",
  "doctor",
];

interface Group {
  page: string;
  title: string;
  commands: readonly Command[];
}

/** Returns the text of each page by its path; the first one lists the commands of the others. */
export async function referencePages(): Promise<Record<string, string>> {
  const program = await buildProgram();
  const groups = Object.entries(GROUP_PAGES).map(([name, page]) => {
    const heading = HEADINGS[name as keyof typeof HEADINGS];
    const commands = program.commands.filter((command) => command.helpGroup() === heading);
    return { page, title: heading.replace(/:$/, ""), commands };
  });
  return {
    [INDEX]: joined([
      "# The command `wireroom`",
      "`wireroom` runs the daemon, and offers humans and agents every operation of the service. `wireroom COMMAND --help` prints the same texts, from which `npm run generate` writes these pages.",
      ...afterHelp(program),
      table(
        "most used",
        MOST_USED.map((name) => mostUsedRow(findCommand(program, name), groups)),
      ),
      "## Commands",
      ...groups.map(contents),
      CONVENTIONS,
      globalOptions(program),
      exitCodeSection(),
      environmentSection(program),
      PROFILES,
    ]),
    ...Object.fromEntries(groups.map((group) => [`docs/${group.page}`, groupPage(group)])),
  };
}

const joined = (parts: readonly string[]) => `${parts.join("\n\n")}\n`;

function findCommand(program: Command, name: string): Command {
  return name
    .split(" ")
    .reduce((parent, word) => parent.commands.find((child) => child.name() === word)!, program);
}

function mostUsedRow(command: Command, groups: readonly Group[]): string {
  const top = command.parent?.parent ? command.parent : command;
  const { page } = groups.find(({ commands }) => commands.includes(top))!;
  return `| [\`${exampleOf(command)}\`](${page}#${anchorOf(command)}) | ${cell(command.description())} |`;
}

function contents({ page, title, commands }: Group): string {
  const links = commands.map((command) => `[${command.name()}](${page}#${anchorOf(command)})`);
  return `[${title}](${page}): ${links.join(" · ")}`;
}

function groupPage({ title, commands }: Group): string {
  const shared = sharedOptions(commands);
  const rows = commands.map(
    (command) => `| [${command.name()}](#${anchorOf(command)}) | ${cell(command.description())} |`,
  );
  return joined([
    `# ${title}`,
    "[The command `wireroom`](../cli.md) describes output, options of every command, exit codes and variables.",
    table("command", rows),
    ...shared.section,
    ...commands.flatMap((command) => commandSection(command, shared.rows)),
  ]);
}

function globalOptions(program: Command): string {
  const rows = program
    .createHelp()
    .visibleOptions(program)
    .map(({ flags, description }) => `| \`${flags}\` | ${cell(description)} |`);
  return ["## Options of every command", table("option", rows)].join("\n\n");
}
