/**
 * Prints names for the completion scripts: profiles, or handles of a profile. It reads files of this machine
 * alone, because a shell waits for it at each press of the Tab key.
 */

import { exitOnOutputError, type ProcessIO } from "../../process-io.js";
import { DEFAULT_PROFILE, profileFile, profileNames } from "../../profiles/folder.js";
import { readProfile } from "../../profiles/profile.js";

/** The kinds of names that the scripts complete. */
export type NameKind = "handles" | "profiles";

/**
 * Bash evaluates what it completes, so other characters must not reach it. A name with a hyphen at the start
 * would be an option.
 */
const SAFE = /^\w[\w.-]*$/;

/** @param words the kind, and the words of the command line before the completed one */
export async function printKnownNames(
  [kind, ...words]: readonly string[],
  { env, stdout, stderr }: ProcessIO,
): Promise<void> {
  exitOnOutputError({ stdout, stderr });
  try {
    const names = kind === "profiles" ? await profileNames(env) : await handlesOf(profileIn(words, env), env);
    stdout.write(
      names
        .filter((name) => SAFE.test(name))
        .map((name) => `${name}\n`)
        .join(""),
    );
  } catch {
    // A damaged profile has no names. The next command reports it.
  }
}

function profileIn(words: readonly string[], env: NodeJS.ProcessEnv): string {
  const at = words.lastIndexOf("--profile");
  const attached = words.findLast((word) => word.startsWith("--profile="))?.slice("--profile=".length);
  return (at < 0 ? attached : words[at + 1]) || env.WIREROOM_PROFILE || DEFAULT_PROFILE;
}

async function handlesOf(profile: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const { handle, keys = {} } = await readProfile(profileFile(profile, env));
  return [...new Set([...(handle === undefined ? [] : [handle]), ...Object.keys(keys)])].sort();
}
