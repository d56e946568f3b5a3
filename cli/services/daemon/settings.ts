import type { DatabaseLocation } from "../../../daemon/maintenance/database.js";
import type { Flags, Settings } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { shellQuoted } from "../../output/shell-quote.js";
import type { Session } from "../../session.js";
import { assertDriver } from "./driver.js";

/** Throws `USAGE` for an invalid setting, and `FAILED` if the database driver cannot be loaded. */
export async function readDaemonSettings(session: Session, flags: Flags): Promise<Settings> {
  return parseSettings({ ...flags, dataDir: await namedDataDir(session, flags) }, session.env);
}

/** Returns the data folder's path, even if another setting is invalid. */
export async function readDataDir(session: Session, flags: Pick<Flags, "dataDir">): Promise<string> {
  return (await parseSettings({ dataDir: await namedDataDir(session, flags) }, {})).dataDir;
}

/** Returns the data folder and the database URL. Ignores the daemon's other settings. */
export async function readDatabaseSettings(
  session: Session,
  { databaseUrl, ...flags }: Pick<Flags, "dataDir" | "databaseUrl">,
): Promise<DatabaseLocation> {
  const { WIREROOM_DATABASE_URL } = session.env;
  const settings = await parseSettings(
    { databaseUrl, dataDir: await namedDataDir(session, flags) },
    { WIREROOM_DATABASE_URL },
  );
  return {
    dataDir: settings.dataDir,
    databaseUrl: settings.databaseUrl,
    isNamed: Boolean(databaseUrl ?? WIREROOM_DATABASE_URL),
  };
}

/** Returns the data folder from `--data-dir`, `WIREROOM_DATA_DIR`, or the profile (see `wireroom up`). */
async function namedDataDir(session: Session, flags: Pick<Flags, "dataDir">): Promise<string | undefined> {
  return flags.dataDir ?? (session.env.WIREROOM_DATA_DIR || (await session.profile()).dataDir);
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

/** Returns ` --data-dir …` for a command in a hint, or "" if the flag is not set. */
export function dataDirFlag({ dataDir }: Pick<Flags, "dataDir">): string {
  return dataDir === undefined ? "" : ` --data-dir ${shellQuoted(dataDir)}`;
}

export function databaseFlags(flags: Pick<Flags, "dataDir" | "databaseUrl">): string {
  const { databaseUrl } = flags;
  return (
    dataDirFlag(flags) + (databaseUrl === undefined ? "" : ` --database-url ${shellQuoted(databaseUrl)}`)
  );
}
