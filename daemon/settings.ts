/** The daemon's settings. Flags override environment variables (docs/specification/running.md#settings). */
import { join, resolve } from "node:path";
import envPaths from "env-paths";
import { defaultLimits, LIMIT_SETTINGS, type LimitSettings } from "../src/contract/limits.js";
import { closestWord } from "./closest-word.js";
import { parseProxies } from "./http/source.js";
import { type IdentitySettings, isLoopback, validateIdentitySettings } from "./identity/settings.js";

export interface Settings extends IdentitySettings {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string;
  /** Replaces the listen address in responses' URIs. */
  publicUrl: string | undefined;
  /** The proxies whose `X-Forwarded-For` header is trusted, as addresses and CIDR blocks. */
  trustedProxies: readonly string[];
  /** Origins whose web pages may call the API, spelled as in the `Origin` header. */
  corsOrigins: readonly string[];
  console: boolean;
  localSignIn: boolean;
  limits: LimitSettings;
  /** Wires are deleted at this age. Null means never. */
  retainDays: number | null;
  logLevel: string;
  logFile: string | undefined;
}

/**
 * The flags that take one value, with their environment variables (docs/specification/running.md#settings).
 */
export const SETTING_VARIABLES = {
  host: "WIREROOM_HOST",
  port: "WIREROOM_PORT",
  dataDir: "WIREROOM_DATA_DIR",
  databaseUrl: "WIREROOM_DATABASE_URL",
  publicUrl: "WIREROOM_PUBLIC_URL",
  oidcIssuer: "WIREROOM_OIDC_ISSUER",
  oidcAudience: "WIREROOM_OIDC_AUDIENCE",
  oidcClientId: "WIREROOM_OIDC_CLIENT_ID",
  smtpUrl: "WIREROOM_SMTP_URL",
  trustedProxies: "WIREROOM_TRUSTED_PROXIES",
  passwordGrant: "WIREROOM_PASSWORD_GRANT",
  console: "WIREROOM_CONSOLE",
  localSignIn: "WIREROOM_LOCAL_SIGN_IN",
  retain: "WIREROOM_RETAIN",
  logLevel: "WIREROOM_LOG_LEVEL",
  logFile: "WIREROOM_LOG_FILE",
} as const;

type SettingName = keyof typeof SETTING_VARIABLES;
type Switch = "passwordGrant" | "console" | "localSignIn";

/** Raw flags. If one is absent, its environment variable applies. */
export interface Flags extends Partial<Record<Exclude<SettingName, Switch>, string | undefined>> {
  /** `on` or `off`, or null or undefined if the flag is absent. */
  passwordGrant?: string | null | undefined;
  console?: string | null | undefined;
  localSignIn?: string | null | undefined;
  corsOrigin?: string[] | undefined;
  limit?: string[] | undefined;
}

/** Returns environment variables that give a daemon the same settings. */
export function settingVariables(flags: Flags, env: NodeJS.ProcessEnv): Record<string, string> {
  const values: Record<string, string | undefined> = {
    WIREROOM_CORS_ORIGINS: flags.corsOrigin?.join(",") ?? env.WIREROOM_CORS_ORIGINS,
    // A limit's last value takes effect, so put flags last.
    WIREROOM_LIMITS: [env.WIREROOM_LIMITS, ...(flags.limit ?? [])].filter(Boolean).join(","),
  };
  for (const [flag, variable] of Object.entries(SETTING_VARIABLES))
    values[variable] = flags[flag as SettingName] ?? env[variable];
  return Object.fromEntries(
    Object.entries(values).filter((each): each is [string, string] => Boolean(each[1])),
  );
}

/** The one-line message begins with the flag's name. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/** Quotes a value that is not among the choices, and names the choice that it probably means. */
function misspelt(value: string, choices: readonly string[]): string {
  const word = closestWord(value, choices);
  return JSON.stringify(value) + (word === undefined ? "" : ` (did you mean ${word}?)`);
}

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** Applies the defaults. Throws `SettingError`. */
export function readSettings(flags: Flags, env: NodeJS.ProcessEnv): Settings {
  const pick = (flag: SettingName) => {
    const variable = SETTING_VARIABLES[flag];
    return nonEmpty(flags[flag] ?? undefined, variable) ?? (env[variable] || undefined);
  };
  const dataDir = resolve(pick("dataDir") ?? envPaths("wireroom", { suffix: "" }).data);
  const logFile = pick("logFile");
  const host = pick("host") ?? "127.0.0.1";
  const oidcIssuer = pick("oidcIssuer");
  const settings: Settings = {
    host,
    port: portOf(pick("port") ?? "4747"),
    dataDir,
    databaseUrl: absoluteUrl(pick("databaseUrl") ?? `sqlite:${join(dataDir, "wireroom.db")}`),
    publicUrl: optionalOrigin("--public-url", pick("publicUrl")),
    oidcIssuer,
    oidcAudience: pick("oidcAudience"),
    oidcClientId: pick("oidcClientId"),
    // This secret has no flag, because other users of the machine can see flags.
    oidcClientSecret: env.WIREROOM_OIDC_CLIENT_SECRET || undefined,
    smtpUrl: pick("smtpUrl"),
    trustedProxies: listOf(pick("trustedProxies")),
    passwordGrant: isOn("--no-password-grant", flags.passwordGrant ?? env.WIREROOM_PASSWORD_GRANT),
    corsOrigins: originsOf("--cors-origin", flags.corsOrigin ?? listOf(env.WIREROOM_CORS_ORIGINS)),
    console: isOn("--no-console", flags.console ?? env.WIREROOM_CONSOLE),
    localSignIn:
      isOn("--local-sign-in", flags.localSignIn ?? env.WIREROOM_LOCAL_SIGN_IN, isLoopbackHost(host)) &&
      oidcIssuer === undefined,
    limits: limitsOf(flags.limit, env.WIREROOM_LIMITS),
    retainDays: daysOf(pick("retain")),
    logLevel: levelOf(pick("logLevel") ?? "info"),
    logFile: logFile === undefined ? undefined : resolve(logFile),
  };
  try {
    validateIdentitySettings(settings);
    parseProxies(settings.trustedProxies);
  } catch (error) {
    throw new SettingError((error as Error).message);
  }
  return settings;
}

export function withoutPassword(databaseUrl: string): string {
  if (databaseUrl.startsWith("sqlite:") || !URL.canParse(databaseUrl)) return databaseUrl;
  const { protocol, username, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${username && `${username}@`}${host}${pathname}`;
}

/** Later commands may run in another folder, so a SQLite path must be absolute. */
function absoluteUrl(databaseUrl: string): string {
  const [, path] = /^sqlite:((?!\/\/).+)$/s.exec(databaseUrl) ?? [];
  return path === undefined ? databaseUrl : `sqlite:${resolve(path)}`;
}

/** Throws if the value is empty, which an unset shell variable may have caused. */
function nonEmpty(flag: string | undefined, variable: string): string | undefined {
  if (flag !== "") return flag;
  throw new SettingError(`${flagOf(variable)}: must not be empty; leave it out for its default`);
}

/** Converts, for example, `WIREROOM_DATA_DIR` to `--data-dir`. */
export function flagOf(variable: string): string {
  return variable.replace("WIREROOM_", "--").toLowerCase().replaceAll("_", "-");
}

function listOf(text = ""): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** Parses `on` or `off`. The default applies if the value is empty or absent. */
function isOn(flag: string, text = "", isOnByDefault = true): boolean {
  if (text === "") return isOnByDefault;
  if (["on", "off"].includes(text)) return text === "on";
  throw new SettingError(`${flag}: its variable must be on or off, not ${JSON.stringify(text)}`);
}

function isLoopbackHost(host: string): boolean {
  return isLoopback(host === "::1" ? "[::1]" : host.toLowerCase());
}

/** Ports to which `fetch` does not connect: https://fetch.spec.whatwg.org/#port-blocking. */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

function assertReachable(flag: string, port: number): void {
  if (!BLOCKED_PORTS.has(port)) return;
  throw new SettingError(
    `${flag}: Node and browsers do not connect to port ${port}, because another protocol uses it; choose another port, such as 8080`,
  );
}

function portOf(text: string): number {
  const port = Number(text);
  assertReachable("--port", port);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SettingError(
    `--port: must be a number from 0 to 65535 (0 for any free port), not ${JSON.stringify(text)}`,
  );
}

/** A number of days has at most seven digits: a longer retention would have no effect. */
function daysOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new SettingError(
    `--retain: must be a whole number of days from 1 to 9999999, not ${JSON.stringify(text)}`,
  );
}

function optionalOrigin(flag: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : originOf(flag, text);
}

function originsOf(flag: string, texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => originOf(flag, text)))];
}

/** Returns an origin as browsers serialise it: in lower case, without the default port. */
function originOf(flag: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin =
    url &&
    // The parsed URL hides an empty user, path, query or fragment, so check the text itself.
    /^https?:\/\/[^\s/\\?#@]+\/?$/i.test(text) &&
    // The URL parser also accepts invalid host names, such as *.example.com.
    /^(\[[0-9a-f:.]+\]|[\w.-]+)$/.test(url.hostname);
  if (isOrigin) {
    assertReachable(flag, Number(url.port));
    return url.origin;
  }
  throw new SettingError(
    `${flag}: must be an origin such as https://wireroom.example.com, not ${JSON.stringify(text)}`,
  );
}

function levelOf(text: string): string {
  if ((LOG_LEVELS as readonly string[]).includes(text)) return text;
  throw new SettingError(
    `--log-level: must be one of ${LOG_LEVELS.join(", ")}, not ${misspelt(text, LOG_LEVELS)}`,
  );
}

/** Parses `NAME=N`. A limit's last value takes effect, so parse flags last. */
function limitsOf(flags: readonly string[] = [], env = ""): LimitSettings {
  const limits = defaultLimits();
  for (const setting of [...listOf(env), ...flags]) {
    const [name = "", ...rest] = setting.split("=");
    const value = rest.join("=");
    if (!(LIMIT_SETTINGS as string[]).includes(name)) {
      throw new SettingError(
        `--limit: there is no limit ${misspelt(name, LIMIT_SETTINGS)}; the limits are ${LIMIT_SETTINGS.join(", ")}`,
      );
    }
    limits[name as keyof LimitSettings] = limitOf(name, value);
  }
  return limits;
}

function limitOf(name: string, value: string): number | null {
  if (value === "none") return null;
  const least = name === "account_factor" ? 1 : 0;
  if (/^\d{1,9}$/.test(value) && Number(value) >= least) return Number(value);
  throw new SettingError(
    `--limit: ${name} must be a whole number from ${least} up to 999999999, or none, not ${JSON.stringify(value)}`,
  );
}
