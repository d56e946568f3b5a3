/** Options for the daemon's settings. A flag overrides its environment variable. */
import { type Command, Option } from "commander";
import { collectValues } from "../../input/values.js";

type Setting = readonly [flag: string, description: string, variable: string, defaultText?: string];

const DATA_DIR: Setting = [
  "--data-dir <folder>",
  "folder for the database, log and lock files",
  "WIREROOM_DATA_DIR",
  "the folder that wireroom up used last with this profile; if there is none, the platform's data folder",
];
const DATABASE_URL: Setting = [
  "--database-url <url>",
  "database: sqlite:/path/to/file or postgres://…",
  "WIREROOM_DATABASE_URL",
  "sqlite:{data-dir}/wireroom.db",
];
const ALL: readonly Setting[] = [
  ["--host <host>", "address to listen on", "WIREROOM_HOST", "127.0.0.1"],
  ["--port <port>", "port to listen on, 0 for any free port", "WIREROOM_PORT", "4747"],
  DATA_DIR,
  DATABASE_URL,
  [
    "--public-url <origin>",
    "public origin, used in the URIs that the daemon returns",
    "WIREROOM_PUBLIC_URL",
    "the listen address",
  ],
  [
    "--oidc-issuer <url>",
    "external OpenID Connect identity provider",
    "WIREROOM_OIDC_ISSUER",
    "the embedded provider",
  ],
  [
    "--oidc-audience <id>",
    "client id (audience) in the ID tokens of that provider",
    "WIREROOM_OIDC_AUDIENCE",
  ],
  [
    "--oidc-client-id <id>",
    "OAuth client of the daemon at that provider, for sign-ins to the console and to connect MCP hosts; set its secret in WIREROOM_OIDC_CLIENT_SECRET",
    "WIREROOM_OIDC_CLIENT_ID",
  ],
  [
    "--smtp-url <url>",
    "mail server that sends confirmation codes; set a URL with a password by the variable, because other users of the machine can see flags",
    "WIREROOM_SMTP_URL",
    "codes are written to the log",
  ],
  [
    "--trusted-proxies <cidr,…>",
    "IP addresses and CIDR blocks of the proxies in front of the daemon; only their X-Forwarded-For is read",
    "WIREROOM_TRUSTED_PROXIES",
  ],
  [
    "--no-password-grant",
    "accept passwords only on the sign-in page; wireroom login then uses a browser",
    "WIREROOM_PASSWORD_GRANT=off",
  ],
  ["--no-console", "do not serve the web page for humans at /console", "WIREROOM_CONSOLE=off"],
  [
    "--local-sign-in",
    "let users who can read the data folder sign in on this machine without a password, whatever the address",
    "WIREROOM_LOCAL_SIGN_IN=on",
    "only with a loopback --host",
  ],
  ["--no-local-sign-in", "require an e-mail address and a password", "WIREROOM_LOCAL_SIGN_IN=off"],
  [
    "--cors-origin <origin>",
    "allow the web pages of an origin, such as https://app.example.com, to call the API; repeatable",
    "WIREROOM_CORS_ORIGINS",
  ],
  [
    "--limit <name=n>",
    "set a rate limit, such as wires_per_minute=600; NAME=none removes a limit; repeatable",
    "WIREROOM_LIMITS",
  ],
  [
    "--retain <days>",
    "hide wires older than this number of days (1 or more), read or not, and delete them within an hour",
    "WIREROOM_RETAIN",
    "wires are kept",
  ],
  [
    "--log-level <level>",
    "log level: fatal, error, warn, info, debug, trace or silent",
    "WIREROOM_LOG_LEVEL",
    "info",
  ],
];

interface SettingDefaults {
  /** The default log file. If undefined, the command has no option for the log file. */
  logFile?: string;
  /** The default data folder. If undefined, the command reads the default from the profile. */
  dataDir?: string;
}

export function addSettingOptions(command: Command, { logFile, dataDir }: SettingDefaults = {}): Command {
  for (const setting of ALL) {
    const [flag, description, variable] = setting;
    const isDataDir = setting === DATA_DIR && dataDir !== undefined;
    command.addOption(optionOf(isDataDir ? [flag, description, variable, dataDir] : setting));
  }
  if (logFile !== undefined)
    command.addOption(
      optionOf(["--log-file <file>", "file for the log, as JSON lines", "WIREROOM_LOG_FILE", logFile]),
    );
  return command;
}

export function addDataDirOption(command: Command): Command {
  return command.addOption(optionOf(DATA_DIR));
}

export function addDatabaseOptions(command: Command): Command {
  return addDataDirOption(command).addOption(optionOf(DATABASE_URL));
}

function optionOf([flag, description, variable, defaultText]: Setting): Option {
  const suffix = defaultText === undefined ? "" : ` (default: ${defaultText})`;
  const option = new Option(flag, `${description} (env: ${variable})${suffix}`);
  // Set a default, because commander would set the option of an absent `--no-…` flag to true, which would
  // override the environment variable.
  if (flag.startsWith("--no-")) return option.preset("off").default(null);
  if (flag === "--local-sign-in") return option.preset("on");
  return /^--(limit|cors-origin) /.test(flag) ? option.argParser(collectValues) : option;
}
