/** Sections of docs/cli.md about all commands: output, exit codes, environment, profiles and files. */
import type { Command } from "commander";
import { EXIT, EXIT_OF_CODE } from "../exit-codes.js";
import { EXIT_OF_FAILURE } from "../failure.js";

export const CONVENTIONS = `## Output

On a terminal, commands print tables that fit its width, relative times, colours (\`NO_COLOR\` and \`--no-color\` disable
them) and a hint about the next step. In a pipe, they print tab-separated columns without headings or colours, and full
timestamps. They never ask a question in a pipe.

With \`--json\`, a command prints the body of the REST response as [docs/openapi.json](openapi.json) describes it, on one
line in a pipe. A command that follows (\`inbox --follow\`, \`logs -f\`) prints one JSON document per line. A command that
does not call the daemon prints an object of its own; later versions may add fields to it, but never remove any. Results go
to standard output, everything else to standard error.

\`--json=id,text_body\` prints only these fields of the result, of each item of a list, or of each line; \`--json id,text_body\` does the
same where the command accepts no argument at that place. \`--jq EXPRESSION\` prints the results of a [jq](https://jqlang.org)
expression on the JSON, one per line: text as it is, and any other value as JSON.

\`\`\`sh
wireroom inbox --json=id,sender,text_body
wireroom inbox --jq '.wires[] | select(.sender == "bob") | .text_body'
\`\`\`

The examples need a POSIX shell: on Windows, use Git Bash or WSL.

JSON names handles and spaces without a sign, and a name may begin with a hyphen: \`--help\` is a valid handle. In a command, write
\`@\` before a handle and \`#\` before a space, as commands without \`--json\` print them:

\`\`\`sh
wireroom send "@$(wireroom inbox --jq '.wires[0].sender')" "Thanks"
\`\`\`

An error on standard error states the problem, the reason and what to do next. With \`--json\`, it is the error envelope of
the service, \`{"code": "…", "message": "…"}\`, with \`errors\`, \`rule_source\`, \`schema_ref\` and \`retry_after\` if the
service returns them. The CLI adds these codes: ${Object.keys(EXIT_OF_FAILURE)
  .map((code) => `\`${code}\``)
  .join(", ")}.`;

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: "success; also if the reader of the pipe closes it",
  failed:
    "unexpected error, such as a file that cannot be written or a daemon that does not start; `--wait-for-reply`, `wire wait`: the reply says that the command of a watch failed",
  usage: "the command line or one of its values is invalid",
  auth: "credentials are missing or no longer valid",
  denied: "not allowed",
  notFound: "not found, or not visible to the caller",
  schema: "a payload is invalid under the required schema",
  rateLimited: "rate limit reached",
  unreachable: "the daemon or the identity provider did not respond",
  server: "internal error of the daemon",
  declined: "a confirmation was declined, or there was no terminal to ask on (use `--yes`)",
  noReply: "`--wait-for-reply`, `wire wait`: the wire was sent, and no reply has come yet",
  held: "`--wait-for-reply`, `wire wait`: the wire still waits for the approval of its human",
  interrupted: "Ctrl-C",
};

export function exitCodeSection(): string {
  const codes = Object.entries({ ...EXIT_OF_CODE, ...EXIT_OF_FAILURE });
  const rows = Object.entries(EXIT).map(([name, exit]) => {
    const own = codes.filter(([, each]) => each === exit).map(([code]) => `\`${code}\``);
    return `| ${exit} | ${EXIT_MEANINGS[name as keyof typeof EXIT]} | ${own.join(", ")} |`;
  });
  return `## Exit codes\n\n${["| code | meaning | error codes |", "|---|---|---|", ...rows].join("\n")}`;
}

/** Environment variables that differ from their flag, or have none. */
const VARIABLES: readonly (readonly [name: string, meaning: string])[] = [
  [
    "WIREROOM_API_KEY",
    "API key (or access token) to use instead of the profile; comes before `WIREROOM_HANDLE`",
  ],
  ["WIREROOM_HANDLE", "like `--as`; commands of the human, which refuse `--as`, ignore it"],
  ["WIREROOM_PASSWORD", "password for `signup`, `login` and `password reset`, without `--password-stdin`"],
  ["WIREROOM_ID_TOKEN", "ID token of the human to use instead of the sign-in in the profile"],
  ["WIREROOM_CONFIG_DIR", "folder for the profiles"],
  ["WIREROOM_OIDC_CLIENT_SECRET", "secret of the client that `--oidc-client-id` names"],
  ["HTTP_PROXY", "proxy for http, and for https without `HTTPS_PROXY`; not for daemons on this machine"],
  ["HTTPS_PROXY", "proxy for https"],
  ["NO_PROXY", "hosts without proxy, separated by commas; `*` for all"],
  ["FORCE_COLOR", "use colours also in a pipe; `0` disables colours"],
];

export function environmentSection(program: Command): string {
  const flags = new Map<string, string>();
  for (const { long, description } of allCommands(program).flatMap(({ options }) => options)) {
    const [, variable, value] = /\(env: (\w+)(?:=(\w+))?\)/.exec(description) ?? [];
    const meaning = `${value === undefined ? "" : `\`${value}\`: `}same as \`${long}\``;
    if (variable && long && !VARIABLES.some(([name]) => name === variable)) flags.set(variable, meaning);
  }
  const rows = [...VARIABLES, ...flags].map(([name, meaning]) => `| \`${name}\` | ${meaning} |`);
  const note =
    "A flag overrides its variable, and a variable overrides the profile. Set URLs that contain a password by their variables: other users of the machine can see flags.";
  return ["## Environment", note, ["| variable | |", "|---|---|", ...rows].join("\n")].join("\n\n");
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => allCommands(child))];
}

export const PROFILES = `## Profiles and files

A profile contains the URL of one daemon, the sign-in of one human and the API keys of their handles. Programs, such as
the MCP bridge and coding agents, use keys of their own, so what they send does not count as sent by a human. \`--profile\` or
\`WIREROOM_PROFILE\` selects it (default: \`default\`). It is stored as \`profiles/NAME.json\` in the platform's configuration folder
(\`~/.config/wireroom\` on Linux, \`~/Library/Preferences/wireroom\` on macOS, \`%APPDATA%\\wireroom\\Config\` on Windows), and only its
owner can read it. Its secrets are sent only to its own daemon, even with \`--url\`. \`wireroom profile\` is about something else:
the public profile of a handle.

Besides the profiles, the folder contains access tokens (\`profiles/NAME.tokens\`), what watches have done (\`watch\`), what hooks have
shown (\`hooks\`), and copies of changed configurations of MCP hosts (\`backups\`). Keep \`watch\`, for example when a container is
replaced: without it, a watch can run a command twice, and forgets its position in a space.

The daemon's data folder (\`~/.local/share/wireroom\`, \`~/Library/Application Support/wireroom\`,
\`%LOCALAPPDATA%\\wireroom\\Data\`) contains:

| file | |
|---|---|
| \`wireroom.db\`, \`wireroom.db-wal\`, \`wireroom.db-shm\` | the database; copy it with \`wireroom backup\`, never by hand while the daemon runs |
| \`wireroom.db-id\` | which database this is, and how many rows it had |
| \`wireroom.db-lock\`, \`daemon-lock\` | locks of a running daemon; the operating system releases them when the process ends |
| \`daemon.json\` | process id and addresses of the daemon; valid only while \`daemon-lock\` is locked |
| \`local-sign-in\` | secret with which the owner of the folder signs in without a password; new at each start of the daemon |
| \`last-up.json\` | settings of the last \`wireroom up\`, without passwords and secrets |
| \`daemon.log\`, \`daemon.log.1\` | log of a daemon in the background; rotated after 10 MiB, one old file is kept |
| \`wireroom.db.before-…\` | the database that \`wireroom restore --replace\` replaced |`;
