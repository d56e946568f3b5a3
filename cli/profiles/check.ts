import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Check, fail, ok } from "../../daemon/doctor/check.js";
import { configFolder, profileFile, profileNames } from "./folder.js";
import { readProfile } from "./profile.js";

const NAME = "profiles";

/** Checks that only the owner can read each profile, because profiles contain keys and tokens. */
export async function checkProfiles(env: NodeJS.ProcessEnv): Promise<Check> {
  const folder = join(configFolder(env), "profiles");
  try {
    const names = await profileNames(env);
    for (const name of names) {
      const problem = await problemOf(profileFile(name, env));
      if (problem) return problem;
    }
    return ok(NAME, names.length === 0 ? "no profiles yet" : `${names.length} in ${folder}`);
  } catch (error) {
    return fail(NAME, (error as Error).message, `make the folder readable: ${folder}`);
  }
}

async function problemOf(file: string): Promise<Check | undefined> {
  try {
    const { mode } = await stat(file);
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      return fail(
        NAME,
        `other users can read ${file} (mode ${(mode & 0o777).toString(8)})`,
        `chmod 600 ${file}; if others use this machine, issue new keys`,
      );
    await readProfile(file);
    return undefined;
  } catch (error) {
    return fail(NAME, (error as Error).message, `fix ${file}, or delete it and sign in again`);
  }
}
