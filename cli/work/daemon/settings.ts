/** The daemon's settings as a command's flags and the environment have them. */
import type { Flags, Settings } from "../../../daemon/settings.js";
import { Failure } from "../../failure.js";
import { assertDriver } from "./driver.js";

/** Throws `USAGE` for a setting that makes no sense, and where nothing of the daemon could be loaded. */
export async function settingsOf(flags: Flags, env: NodeJS.ProcessEnv): Promise<Settings> {
  assertDriver();
  const { readSettings, SettingError } = await import("../../../daemon/settings.js");
  try {
    return readSettings(flags, env);
  } catch (error) {
    if (error instanceof SettingError) throw new Failure("USAGE", error.message);
    throw error;
  }
}

/** The data folder. The other settings are not read, so that a bad one cannot fail the command. */
export async function dataDirOf(
  { dataDir }: Pick<Flags, "dataDir">,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  return (await settingsOf({ dataDir }, { WIREROOM_DATA_DIR: env.WIREROOM_DATA_DIR })).dataDir;
}

/** `--data-dir …` for a hint, where the folder was named by a flag: the next command needs it too. */
export function again({ dataDir }: Pick<Flags, "dataDir">): string {
  if (dataDir === undefined) return "";
  return /^[\w./~-]+$/.test(dataDir)
    ? ` --data-dir ${dataDir}`
    : ` --data-dir '${dataDir.replaceAll("'", "'\\''")}'`;
}
