/** Compares a running daemon's settings, read from its state file, with newly requested settings. */
import { defaultLimits } from "../../src/contract/limits.js";
import { type Flags, flagOf, SETTING_VARIABLES, type Settings, withoutPassword } from "../settings.js";
import type { DaemonState } from "./folder.js";

/** Returns each setting as text, keyed by flag, without passwords. A missing value becomes `none`. */
export function listSettings(settings: Settings): Record<string, string> {
  const { smtpUrl, limits } = settings;
  return {
    "--host": settings.host,
    "--port": String(settings.port),
    "--database-url": withoutPassword(settings.databaseUrl),
    "--public-url": settings.publicUrl ?? "none",
    "--oidc-issuer": settings.oidcIssuer ?? "none",
    "--oidc-audience": settings.oidcAudience ?? "none",
    "--oidc-client-id": settings.oidcClientId ?? "none",
    "--smtp-url": smtpUrl === undefined ? "none" : originOf(smtpUrl),
    "--trusted-proxies": settings.trustedProxies.join(",") || "none",
    "--password-grant": settings.passwordGrant === false ? "off" : "on",
    "--console": settings.console ? "on" : "off",
    "--local-sign-in": settings.localSignIn ? "on" : "off",
    "--cors-origin": settings.corsOrigins.join(",") || "none",
    "--retain": String(settings.retainDays ?? "none"),
    "--log-level": settings.logLevel,
    "--log-file": settings.logFile ?? "none",
    ...Object.fromEntries(
      Object.entries(limits).map(([name, limit]) => [`--limit ${name}`, String(limit ?? "none")]),
    ),
  };
}

/** Returns the address of the console, or null if the daemon serves none. */
export function consoleUrlOf({ base_url, settings = {} }: DaemonState): string | null {
  const signsIn = settings["--oidc-issuer"] === "none" || settings["--oidc-client-id"] !== "none";
  return settings["--console"] === "on" && signsIn ? new URL("/console", base_url).href : null;
}

/** `URL.origin` would be `null` for schemes such as smtp. */
export function originOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

export interface SettingsSummary {
  limits: string;
  retention: string;
  public_url: string;
}

/** @param settings the result of `listSettings` */
export function summarise(settings: Record<string, string>): SettingsSummary {
  const changed = Object.entries(defaultLimits())
    .map(([name, limit]) => [name, settings[`--limit ${name}`], String(limit ?? "none")] as const)
    .filter(([, value, usual]) => value !== undefined && value !== usual);
  const days = settings["--retain"];
  return {
    limits: changed.map(([name, value]) => `${name}=${value}`).join(", ") || "the defaults",
    retention: days === undefined || days === "none" ? "wires are kept" : `${days} days`,
    public_url: settings["--public-url"] ?? "none",
  };
}

export interface SettingDifference {
  /** A flag, such as `--port` or `--limit wires_per_minute`. */
  name: string;
  running: string;
  requested: string;
}

/**
 * Returns the requested settings that differ from the running daemon's settings. Ignores settings that
 * neither a flag nor an environment variable sets.
 * @param requested the settings that result from `flags` and `env`
 * @param running the settings in the running daemon's state file; undefined if an old version wrote the file
 */
export function differingSettings(
  flags: Flags,
  env: NodeJS.ProcessEnv,
  requested: Settings,
  running: Record<string, string> | undefined,
): SettingDifference[] {
  const values = listSettings(requested);
  return requestedNames(flags, env)
    .filter((name) => running?.[name] !== undefined && running[name] !== values[name])
    .map((name) => ({ name, running: running![name]!, requested: values[name]! }));
}

export function differencesText(differences: readonly SettingDifference[]): string {
  return differences
    .map(({ name, running, requested }) => `${name} is ${running}, not ${requested}`)
    .join("; ");
}

function requestedNames(flags: Flags, env: NodeJS.ProcessEnv): string[] {
  const names = Object.entries(SETTING_VARIABLES).flatMap(([flag, variable]) => {
    const value = flags[flag as keyof typeof SETTING_VARIABLES] ?? env[variable];
    // Port 0 means any free port, so it always matches.
    return value && !(flag === "port" && value === "0") ? [flagOf(variable)] : [];
  });
  if (flags.corsOrigin ?? env.WIREROOM_CORS_ORIGINS) names.push("--cors-origin");
  const limits = [...(env.WIREROOM_LIMITS ?? "").split(","), ...(flags.limit ?? [])];
  const limitNames = limits.map((limit) => limit.split("=")[0]!.trim()).filter((name) => name !== "");
  return [...names, ...new Set(limitNames.map((name) => `--limit ${name}`))];
}
