/** The daemon's settings as flags. The variables are read by the daemon itself, so that a flag wins over its variable. */
import { type Command, Option } from "commander";
import { repeated } from "../../input/values.js";

/** A flag with its placeholder, its description, its variable, and its default. */
type Setting = readonly [flag: string, what: string, variable: string, otherwise?: string];

const DATA_DIR: Setting = [
  "--data-dir <folder>",
  "where everything is kept",
  "WIREROOM_DATA_DIR",
  "the platform's data folder",
];
const DATABASE_URL: Setting = [
  "--database-url <url>",
  "sqlite:/path/to/file or postgres://…",
  "WIREROOM_DATABASE_URL",
  "sqlite:{data-dir}/wireroom.db",
];
const ALL: readonly Setting[] = [
  ["--host <host>", "address to listen on", "WIREROOM_HOST", "127.0.0.1"],
  ["--port <port>", "port to listen on, 0 for any free one", "WIREROOM_PORT", "4747"],
  DATA_DIR,
  DATABASE_URL,
  ["--public-url <origin>", "origin in every URI handed out", "WIREROOM_PUBLIC_URL", "the one listened on"],
  ["--oidc-issuer <url>", "an identity provider of your own", "WIREROOM_OIDC_ISSUER", "the embedded one"],
  ["--oidc-audience <id>", "the client id in its ID tokens", "WIREROOM_OIDC_AUDIENCE"],
  [
    "--smtp-url <url>",
    "mail server for confirmation codes; with a password, use the variable",
    "WIREROOM_SMTP_URL",
    "codes go to the log",
  ],
  ["--limit <name=n>", "set a rate limit, or lift it with none; repeatable", "WIREROOM_LIMITS"],
  ["--log-level <level>", "fatal, error, warn, info, debug, trace or silent", "WIREROOM_LOG_LEVEL", "info"],
];

/** Every setting of the daemon. `logFile` says where its log goes unless a file is named. */
export function addSettings(command: Command, { logFile }: { logFile?: string } = {}): Command {
  for (const setting of ALL) command.addOption(optionOf(setting));
  if (logFile !== undefined)
    command.addOption(
      optionOf(["--log-file <file>", "where the log goes, as JSON lines", "WIREROOM_LOG_FILE", logFile]),
    );
  return command;
}

/** Which data folder a command is about. */
export function addDataDir(command: Command): Command {
  return command.addOption(optionOf(DATA_DIR));
}

/** Which data folder and database a command is about. */
export function addDatabase(command: Command): Command {
  return addDataDir(command).addOption(optionOf(DATABASE_URL));
}

function optionOf([flag, what, variable, otherwise]: Setting): Option {
  const usual = otherwise === undefined ? "" : ` (default: ${otherwise})`;
  const option = new Option(flag, `${what} (env: ${variable})${usual}`);
  return flag.startsWith("--limit") ? option.argParser(repeated) : option;
}
