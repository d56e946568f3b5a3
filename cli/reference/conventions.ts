/** What holds for every command. */
import type { Command } from "commander";
import { EXIT, EXIT_OF_CODE } from "../exit-codes.js";
import { EXIT_OF_FAILURE } from "../failure.js";

export const CONVENTIONS = `## Output

On a terminal: tables that fit its width, relative times, colours (\`NO_COLOR\` and \`--no-color\` switch them off), and a
hint at the next step. In a pipe: no titles, no colours, cells separated by tabs, times as the service gives them, and
never a question.

\`--json\` gives the body of the REST response exactly as [docs/openapi.json](openapi.json) describes it, on one line in a
pipe; a command that follows (\`inbox --follow\`, \`logs -f\`) gives one JSON document per line. Commands that speak to no
daemon give an object of their own, whose fields are only ever added to. Results go to standard output, everything else to
standard error.

An error says on standard error what was wrong, why, and what to do next. With \`--json\` it is the envelope of the service,
\`{"code": "…", "message": "…"}\`, with \`errors\`, \`rule_source\`, \`schema_ref\` and \`retry_after\` where the service
gives them. Codes of the command's own: ${Object.keys(EXIT_OF_FAILURE)
  .map((code) => `\`${code}\``)
  .join(", ")}.`;

const MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "done; also where the reader of a pipe has had enough",
  failed: "something that should not happen: a file that cannot be written, a daemon that does not start",
  usage: "the command line, or a value on it, makes no sense",
  auth: "no credentials, or ones that are not valid any more",
  denied: "known, but not allowed",
  notFound: "there is no such thing, or it is not to be seen",
  schema: "a payload breaks the schema that governs it",
  rateLimited: "too much in too short a time",
  unreachable: "no answer from the daemon, or none now",
  server: "the daemon failed",
  declined: "a question was answered with no, or there is no terminal to ask on (`--yes` answers it)",
  interrupted: "Ctrl-C",
};

/** One row per exit code, with the error codes that lead to it. */
export function exitCodeSection(): string {
  const codes = Object.entries({ ...EXIT_OF_CODE, ...EXIT_OF_FAILURE });
  const rows = Object.entries(EXIT).map(([name, exit]) => {
    const leading = codes.filter(([, each]) => each === exit).map(([code]) => `\`${code}\``);
    return `| ${exit} | ${MEANINGS[name as keyof typeof EXIT]} | ${leading.join(", ")} |`;
  });
  return ["## Exit codes", ["| code | meaning | error codes |", "|---|---|---|", ...rows].join("\n")].join(
    "\n\n",
  );
}

/** Variables that are no flag's. */
const VARIABLES: readonly (readonly [name: string, meaning: string])[] = [
  ["WIREROOM_API_KEY", "API key to act with, in the place of the profile's"],
  ["WIREROOM_ID_TOKEN", "ID token of the human, in the place of the profile's sign-in"],
  ["WIREROOM_CONFIG_DIR", "where profiles are kept"],
  ["FORCE_COLOR", "colours also in a pipe; `0`: none"],
];

/** Every variable: those that stand in a flag's description, and those that are no flag's. */
export function environmentSection(program: Command): string {
  const flags = new Map<string, string>();
  for (const { long, description } of allCommands(program).flatMap(({ options }) => options)) {
    const variable = /\(env: (\w+)\)/.exec(description)?.[1];
    if (variable && long) flags.set(variable, `the same as \`${long}\``);
  }
  const rows = [...VARIABLES, ...flags].map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  const note =
    "A flag wins over its variable, a variable over the profile. Secrets are never taken from the command line.";
  return ["## Environment", note, ["| variable | |", "|---|---|", ...rows].join("\n")].join("\n\n");
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => allCommands(child))];
}

export const PROFILES = `## Profiles and files

A profile is one daemon's url, one human's sign-in, and the API keys of their handles. It is named by \`--profile\` or
\`WIREROOM_PROFILE\` (otherwise \`default\`), and kept in \`profiles/NAME.json\` in the platform's configuration folder
(\`~/.config/wireroom\` on Linux, \`~/Library/Preferences/wireroom\` on macOS, \`%APPDATA%\\wireroom\\Config\` on Windows), readable
by its owner alone. Its secrets go to its own daemon and to no other, whatever \`--url\` says.

The daemon's data folder (\`~/.local/share/wireroom\`, \`~/Library/Application Support/wireroom\`,
\`%LOCALAPPDATA%\\wireroom\\Data\`) holds:

| file | |
|---|---|
| \`wireroom.db\`, \`wireroom.db-wal\`, \`wireroom.db-shm\` | everything; copy it with \`wireroom backup\`, never by hand while the daemon runs |
| \`wireroom.db-lock\`, \`daemon-lock\` | held while a daemon runs; the system lets go of them however it ends |
| \`daemon.json\` | what runs, and where; counts only while \`daemon-lock\` is held |
| \`daemon.log\`, \`daemon.log.1\` | the log of a daemon in the background; a new one is begun after 10 MiB, and one is kept |
| \`wireroom.db.before-…\` | the database that \`wireroom restore\` replaced |`;
