/** Finds the data folder and the settings of the daemon on this machine. */
import type { LastSettings } from "../../../daemon/local/last-settings.js";
import type { DatabaseLocation } from "../../../daemon/maintenance.js";
import type { Flags, Settings } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { shellQuoted } from "../../output/shell-quote.js";
import { DEFAULT_URL, isSameDaemon } from "../../profiles/endpoint.js";
import { profileFile, profileNames } from "../../profiles/folder.js";
import { readProfile } from "../../profiles/profile.js";
import type { Session } from "../../session.js";
import { assertDriver } from "./driver.js";

export interface DaemonSettings {
  settings: Settings;
  env: NodeJS.ProcessEnv;
  /** Note about which flags of the last `wireroom up` apply again, or no longer apply. */
  note: string | undefined;
  /** The flags of the last `wireroom up` that the given flags replace, or an empty string. */
  replaced: string;
  /** Variables that the last `wireroom up` did not save, because their values contained passwords. */
  missing: readonly string[];
}

/**
 * Returns the daemon's settings. Without flags, unset variables have the values of the last `wireroom up`.
 * Throws `USAGE` for an invalid setting, and `FAILED` if the database driver cannot be loaded.
 */
export async function readDaemonSettings(session: Session, flags: Flags): Promise<DaemonSettings> {
  const { flagOf, settingVariables } = await import("../../../daemon/settings.js");
  const dataDir = await namedDataDir(session, flags);
  const isAsLastTime = Object.keys(settingVariables({ ...flags, dataDir: undefined }, {})).length === 0;
  const last = await lastSettings(session, flags);
  const named = flagsOf(isAsLastTime ? {} : settingVariables(flags, session.env), flagOf);
  const variables = isAsLastTime ? withoutKeys(last.variables, withoutEmpty(session.env)) : last.variables;
  const lastFlags = [...flagsOf(variables, flagOf)].filter(([name]) => !named.has(name));
  const texts = lastFlags.map(([, flag]) => flag).join(" ");
  const env = isAsLastTime ? { ...last.variables, ...withoutEmpty(session.env) } : session.env;
  return {
    settings: await parseSettings({ ...flags, dataDir }, env),
    env,
    note:
      texts === ""
        ? undefined
        : isAsLastTime
          ? `as last time: ${texts}`
          : `not kept from last time, because flags replace all settings: ${texts}\n` +
            `To keep them, run wireroom down${dataDirFlag(flags)}, and then this command with them added.`,
    replaced: isAsLastTime ? "" : texts,
    missing: isAsLastTime ? last.withheld.filter((name) => !session.env[name]) : [],
  };
}

export async function lastSettings(session: Session, flags: Pick<Flags, "dataDir">): Promise<LastSettings> {
  const { readLastSettings } = await import("../../../daemon/local/last-settings.js");
  return readLastSettings(await readDataDir(session, flags));
}

/** Drops empty variables, which count as absent. */
function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
}

function withoutKeys(all: Record<string, string>, removed: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !(name in removed)));
}

/** Converts variables to flags, keyed by what they set: `WIREROOM_PORT=28417` to `--port 28417`. */
function flagsOf(
  variables: Record<string, string>,
  flagOf: (variable: string) => string,
): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  for (const [variable, value] of Object.entries(variables)) {
    const flag = flagOf(variable);
    if (/^--(limits|cors-origins)$/.test(flag))
      for (const each of value.split(",").map((text) => text.trim()))
        flags.set(`${flag} ${each.split("=")[0]}`, `${flag.slice(0, -1)} ${shellQuoted(each)}`);
    else if (value === "off") flags.set(flag, flag.replace("--", "--no-"));
    else flags.set(flag, value === "on" ? flag : `${flag} ${shellQuoted(value)}`);
  }
  return flags;
}

export async function defaultDataDir(): Promise<string> {
  return (await parseSettings({}, {})).dataDir;
}

/** Returns the data folder's path, even if another setting is invalid. */
export async function readDataDir(session: Session, flags: Pick<Flags, "dataDir">): Promise<string> {
  return (await parseSettings({ dataDir: await namedDataDir(session, flags) }, {})).dataDir;
}

export async function readDatabaseSettings(
  session: Session,
  { databaseUrl, ...flags }: Pick<Flags, "dataDir" | "databaseUrl">,
): Promise<DatabaseLocation> {
  const { WIREROOM_DATABASE_URL } = session.env;
  const { variables } = await lastSettings(session, flags);
  const settings = await parseSettings(
    { databaseUrl, dataDir: await namedDataDir(session, flags) },
    { WIREROOM_DATABASE_URL: WIREROOM_DATABASE_URL || variables.WIREROOM_DATABASE_URL },
  );
  return {
    dataDir: settings.dataDir,
    databaseUrl: settings.databaseUrl,
    isNamed: Boolean(databaseUrl ?? WIREROOM_DATABASE_URL),
  };
}

/**
 * Returns the data folder from `--data-dir`, `WIREROOM_DATA_DIR` or the profile. Otherwise returns the folder
 * of another profile with the same URL. Ignores the default URL, because several daemons may have used it.
 */
async function namedDataDir(session: Session, flags: Pick<Flags, "dataDir">): Promise<string | undefined> {
  const named = flags.dataDir ?? (session.env.WIREROOM_DATA_DIR || (await session.profile()).dataDir);
  if (named !== undefined) return named;
  const url = await session.url().catch(() => DEFAULT_URL);
  if (url === DEFAULT_URL) return undefined;
  for (const name of await profileNames(session.env)) {
    const other = await readProfile(profileFile(name, session.env)).catch(() => undefined);
    if (other?.dataDir !== undefined && isSameDaemon(other, { url })) return other.dataDir;
  }
  return undefined;
}

async function parseSettings(flags: Flags, env: NodeJS.ProcessEnv): Promise<Settings> {
  assertDriver();
  const { readSettings, SettingError } = await import("../../../daemon/settings.js");
  try {
    return readSettings(flags, env);
  } catch (error) {
    if (error instanceof SettingError) throw new Failure("USAGE", error.message);
    throw error;
  }
}

export function dataDirFlag({ dataDir }: Pick<Flags, "dataDir">): string {
  return dataDir === undefined ? "" : ` --data-dir ${shellQuoted(dataDir)}`;
}

export function databaseFlags(flags: Pick<Flags, "dataDir" | "databaseUrl">): string {
  const { databaseUrl } = flags;
  if (databaseUrl === undefined) return dataDirFlag(flags);
  // Match up to the last `@`, because the password may contain this character.
  const withoutPassword = databaseUrl
    .replace(/^(\w+:\/\/[^:@/]*):[^/]*@/, "$1:PASSWORD@")
    .replace(/([?&]password=)[^&]*/, "$1PASSWORD");
  return `${dataDirFlag(flags)} --database-url ${shellQuoted(withoutPassword)}`;
}
