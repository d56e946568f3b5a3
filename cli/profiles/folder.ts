/** The folder that contains the profiles. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import envPaths from "env-paths";
import { Failure } from "../failure.js";

export const DEFAULT_PROFILE = "default";

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

export function configFolder(env: NodeJS.ProcessEnv): string {
  return env.WIREROOM_CONFIG_DIR || envPaths("wireroom", { suffix: "" }).config;
}

export async function profileNames(env: NodeJS.ProcessEnv): Promise<string[]> {
  return (await jsonFiles(env))
    .map((file) => file.slice(0, -".json".length))
    .filter((name) => NAME.test(name));
}

/** Returns the names of all `.json` files, including those whose name no profile can have. */
export async function jsonFiles(env: NodeJS.ProcessEnv): Promise<string[]> {
  const files = await readdir(profilesFolder(env)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return files.filter((file) => file.endsWith(".json")).sort();
}

export function profilesFolder(env: NodeJS.ProcessEnv): string {
  return join(configFolder(env), "profiles");
}

/**
 * Returns the path of the file with a profile's access tokens. Its extension is not `.json`, so that it is
 * not listed as a profile.
 */
export function tokenFile(name: string, env: NodeJS.ProcessEnv): string {
  return profileFile(name, env).replace(/\.json$/, ".tokens");
}

export function profileFile(name: string, env: NodeJS.ProcessEnv): string {
  if (!NAME.test(name)) {
    throw new Failure(
      "USAGE",
      `${JSON.stringify(name)} is not a valid profile name: use letters, digits, ".", "_" and "-"`,
    );
  }
  return join(profilesFolder(env), `${name}.json`);
}
