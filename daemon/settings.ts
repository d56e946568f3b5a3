/** The daemon's settings (decisions, section 12): flags win over environment variables, and what makes no sense is refused. */
import { join, resolve } from "node:path";
import envPaths from "env-paths";
import { defaultLimits, LIMIT_NAMES, type LimitName, type LimitSettings } from "../src/contract/limits.js";
import { checkSettings, type IdentitySettings } from "./identity/settings.js";

export interface Settings extends IdentitySettings {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string;
  /** Origin that replaces the one listened on in every URI handed out. */
  publicUrl: string | undefined;
  limits: LimitSettings;
  logLevel: string;
  /** Where logs go; without it, to standard error. */
  logFile: string | undefined;
}

/** Values as they come from flags; what is absent falls back to the environment. */
export interface Flags {
  host?: string | undefined;
  port?: string | undefined;
  dataDir?: string | undefined;
  databaseUrl?: string | undefined;
  publicUrl?: string | undefined;
  oidcIssuer?: string | undefined;
  oidcAudience?: string | undefined;
  smtpUrl?: string | undefined;
  limit?: string[] | undefined;
  logLevel?: string | undefined;
  logFile?: string | undefined;
}

/** A setting that makes no sense; the message is one line and begins with the flag. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Throws `SettingError`. */
export function readSettings(flags: Flags, env: NodeJS.ProcessEnv): Settings {
  const pick = (flag: string | undefined, name: string) => given(flag, name) ?? (env[name] || undefined);
  const dataDir = resolve(
    pick(flags.dataDir, "WIREROOM_DATA_DIR") ?? envPaths("wireroom", { suffix: "" }).data,
  );
  const logFile = pick(flags.logFile, "WIREROOM_LOG_FILE");
  const settings: Settings = {
    host: pick(flags.host, "WIREROOM_HOST") ?? "127.0.0.1",
    port: portOf(pick(flags.port, "WIREROOM_PORT") ?? "4747"),
    dataDir,
    databaseUrl: pick(flags.databaseUrl, "WIREROOM_DATABASE_URL") ?? `sqlite:${join(dataDir, "wireroom.db")}`,
    publicUrl: originOf(pick(flags.publicUrl, "WIREROOM_PUBLIC_URL")),
    oidcIssuer: pick(flags.oidcIssuer, "WIREROOM_OIDC_ISSUER"),
    oidcAudience: pick(flags.oidcAudience, "WIREROOM_OIDC_AUDIENCE"),
    smtpUrl: pick(flags.smtpUrl, "WIREROOM_SMTP_URL"),
    limits: limitsOf(flags.limit, env.WIREROOM_LIMITS),
    logLevel: levelOf(pick(flags.logLevel, "WIREROOM_LOG_LEVEL") ?? "info"),
    logFile: logFile === undefined ? undefined : resolve(logFile),
  };
  try {
    checkSettings(settings);
  } catch (error) {
    throw new SettingError((error as Error).message);
  }
  return settings;
}

/** A database URL as it may be shown: a server's without user, password and options. */
export function withoutCredentials(databaseUrl: string): string {
  if (databaseUrl.startsWith("sqlite:") || !URL.canParse(databaseUrl)) return databaseUrl;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${host}${pathname}`;
}

/** A flag's value. An empty one, such as that of an unset shell variable, would mean something else than its default. */
function given(flag: string | undefined, variable: string): string | undefined {
  if (flag !== "") return flag;
  const name = variable.replace("WIREROOM_", "--").toLowerCase().replaceAll("_", "-");
  throw new SettingError(`${name}: must not be empty; leave it out for its default`);
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SettingError(
    `--port: must be a number from 0 to 65535 (0 takes any free port), not ${JSON.stringify(text)}`,
  );
}

function originOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin =
    url &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === "/" &&
    !url.search &&
    !url.hash &&
    !url.username;
  if (isOrigin) return url.origin;
  throw new SettingError(
    `--public-url: must be an origin such as https://wireroom.example.com, not ${JSON.stringify(text)}`,
  );
}

function levelOf(text: string): string {
  if ((LOG_LEVELS as readonly string[]).includes(text)) return text;
  throw new SettingError(`--log-level: must be one of ${LOG_LEVELS.join(", ")}, not ${JSON.stringify(text)}`);
}

/** `NAME=N` settings: those of the environment first, then those of the flags. */
function limitsOf(flags: readonly string[] = [], env = ""): LimitSettings {
  const limits = defaultLimits();
  const fromEnv = env.split(",").map((part) => part.trim());
  for (const setting of [...fromEnv.filter((part) => part !== ""), ...flags]) {
    const [name = "", ...rest] = setting.split("=");
    const value = rest.join("=");
    if (!(LIMIT_NAMES as string[]).includes(name)) {
      throw new SettingError(
        `--limit: there is no limit ${JSON.stringify(name)}; there are ${LIMIT_NAMES.join(", ")}`,
      );
    }
    limits[name as LimitName] = limitOf(name, value);
  }
  return limits;
}

function limitOf(name: string, value: string): number | null {
  if (value === "none") return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new SettingError(
    `--limit: ${name} must be a whole number up to 999999999, or none, not ${JSON.stringify(value)}`,
  );
}
