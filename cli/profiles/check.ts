import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Check, fail, ok, warn } from "../../daemon/doctor/check.js";
import { shellQuoted } from "../output/shell-quote.js";
import { jsonFiles, profileNames, profilesFolder } from "./folder.js";
import { readProfile } from "./profile.js";

const NAME = "profiles";

/**
 * Checks that only the owner can read each profile, because profiles contain keys and tokens. This includes
 * files that no command reads, such as a copy of a profile.
 */
export async function checkProfiles(env: NodeJS.ProcessEnv): Promise<Check> {
  const folder = profilesFolder(env);
  try {
    const files = await jsonFiles(env);
    for (const file of files) {
      const problem = await problemOf(join(folder, file));
      if (problem) return problem;
    }
    const names = await profileNames(env);
    const unread = files.find((file) => !names.includes(file.slice(0, -".json".length)));
    if (unread !== undefined)
      return warn(
        NAME,
        `no command reads ${join(folder, unread)}, because its name is not a valid profile name`,
        'rename it with letters, digits, ".", "_" and "-", or delete it',
      );
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
        `chmod 600 ${shellQuoted(file)}; if others use this machine, issue new keys`,
      );
    await readProfile(file);
    return undefined;
  } catch (error) {
    return fail(NAME, (error as Error).message, `fix ${file}, or delete it and sign in again`);
  }
}
