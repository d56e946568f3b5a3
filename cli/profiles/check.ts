import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Check } from "../../daemon/doctor/check.js";
import { configFolder } from "./folder.js";
import { readProfile } from "./profile.js";

const NAME = "profiles";

/** Checks that only the owner can read each profile, because profiles contain keys and tokens. */
export async function checkProfiles(env: NodeJS.ProcessEnv): Promise<Check> {
  const folder = join(configFolder(env), "profiles");
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => error);
  if (names instanceof Error) {
    return names.code === "ENOENT"
      ? { name: NAME, status: "ok", message: "no profiles yet" }
      : { name: NAME, status: "fail", message: names.message, mend: `make the folder readable: ${folder}` };
  }
  const files = names.filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
  for (const file of files) {
    const problem = await problemOf(file);
    if (problem) return problem;
  }
  return { name: NAME, status: "ok", message: `${files.length} in ${folder}` };
}

async function problemOf(file: string): Promise<Check | undefined> {
  try {
    const { mode } = await stat(file);
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      const message = `other users can read ${file} (mode ${(mode & 0o777).toString(8)})`;
      return {
        name: NAME,
        status: "fail",
        message,
        mend: `chmod 600 ${file}; if others use this machine, issue new keys`,
      };
    }
    await readProfile(file);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return { name: NAME, status: "fail", message, mend: `fix ${file}, or delete it and sign in again` };
  }
}
