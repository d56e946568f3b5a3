/** Options for the daemon's settings. A flag overrides its environment variable. */
import { type Command, Option } from "commander";
import { collectValues } from "../../input/values.js";

type Setting = readonly [flag: string, description: string, defaultText?: string];

const DATA_DIR: Setting = [
  "--data-dir <folder>",
  "folder for the database, log and lock files",
  "the folder that wireroom up used last with this profile; if there is none, the platform's data folder",
];
const DATABASE_URL: Setting = [
  "--database-url <url>",
  "database: sqlite:/path/to/file or postgres://…",
  "sqlite:{data-dir}/wireroom.db",
];
const ALL: readonly Setting[] = [
  ["--host <host>", "address to listen on", "127.0.0.1"],
  ["--port <port>", "port to listen on, 0 for any free port", "4747"],
  DATA_DIR,
  DATABASE_URL,
  ["--public-url <origin>", "public origin, used in the URIs that the daemon returns", "the listen address"],
  ["--oidc-issuer <url>", "external OpenID Connect identity provider", "the embedded provider"],
  ["--oidc-audience <id>", "client id (audience) in the ID tokens of that provider"],
  [
    "--oidc-client-id <id>",
    "OAuth client of the daemon at that provider, for sign-ins to the console and to connect MCP hosts; set its secret in WIREROOM_OIDC_CLIENT_SECRET",
  ],
  [
    "--smtp-url <url>",
    "mail server that sends confirmation codes; set a URL with a password by the variable, because other users of the machine can see flags",
    "codes are written to the log",
  ],
  [
    "--trusted-proxies <cidr,…>",
    "IP addresses and CIDR blocks of the proxies in front of the daemon; only their X-Forwarded-For is read",
  ],
  ["--no-password-grant", "accept passwords only on the sign-in page; wireroom login then uses a browser"],
  ["--no-console", "do not serve the web page for humans at /console"],
  [
    "--local-sign-in",
    "let users who can read the data folder sign in on this machine without a password, whatever the address",
    "only with a loopback --host",
  ],
  ["--no-local-sign-in", "require an e-mail address and a password"],
  [
    "--cors-origin <origin>",
    "allow the web pages of an origin, such as https://app.example.com, to call the API; repeatable",
  ],
  [
    "--limit <name=n>",
    "set a rate limit, such as wires_per_minute=600; NAME=none removes a limit; repeatable",
  ],
  [
    "--retain <days>",
    "hide wires older than this number of days (1 or more), read or not, and delete them within an hour",
    "wires are kept",
  ],
  ["--log-level <level>", "log level: fatal, error, warn, info, debug, trace or silent", "info"],
];

interface SettingDefaults {
  /** The default log file. If undefined, the command has no option for the log file. */
  logFile?: string;
  /** The default data folder. If undefined, the command reads the default from the profile. */
  dataDir?: string;
}

export function addSettingOptions(command: Command, { logFile, dataDir }: SettingDefaults = {}): Command {
  for (const setting of ALL) {
    const [flag, description, defaultText] = setting;
    command.addOption(optionOf([flag, description, (setting === DATA_DIR && dataDir) || defaultText]));
  }
  if (logFile !== undefined)
    command.addOption(optionOf(["--log-file <file>", "file for the log, as JSON lines", logFile]));
  return command;
}

export function addDataDirOption(command: Command): Command {
  return command.addOption(optionOf(DATA_DIR));
}

export function addDatabaseOptions(command: Command): Command {
  return addDataDirOption(command).addOption(optionOf(DATABASE_URL));
}

function optionOf([flag, description, defaultText]: Setting): Option {
  const option = new Option(flag);
  const [, no, name] = /^(no-)?(.*)/.exec(option.name())!;
  const isList = name === "limit" || name === "cors-origin";
  const value = no ? "=off" : name === "local-sign-in" ? "=on" : isList ? "S" : "";
  const variable = `WIREROOM_${name!.replaceAll("-", "_").toUpperCase()}${value}`;
  const suffix = defaultText === undefined ? "" : ` (default: ${defaultText})`;
  option.description = `${description} (env: ${variable})${suffix}`;
  // Set a default, because commander would set the option of an absent `--no-…` flag to true, which would
  // override the environment variable.
  if (no) return option.preset("off").default(null);
  if (name === "local-sign-in") return option.preset("on");
  return isList ? option.argParser(collectValues) : option;
}
