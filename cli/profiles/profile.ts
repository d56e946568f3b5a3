/** Reads and writes profiles. Only the owner can read them, and each change replaces the file atomically. */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "../failure.js";
import { isJsonObject } from "../json-object.js";
import { replaceFile } from "../replace-file.js";
import { deferSignals } from "../signals.js";
import { withLock } from "./lock.js";

export interface SignIn {
  email: string;
  issuer: string;
  clientId: string;
  idToken: string;
  refreshToken?: string | undefined;
}

/** One human's sign-in and API keys at one daemon. They are valid only at `url`. */
export interface Profile {
  url?: string | undefined;
  /** Undefined for the default folder. */
  dataDir?: string | undefined;
  signIn?: SignIn | undefined;
  /** The e-mail address of the sign-in that has ended. */
  lastEmail?: string | undefined;
  handle?: string | undefined;
  /** Keyed by the handle's slug. */
  keys?: Record<string, string> | undefined;
  /** Keys that programs, such as the MCP bridge, have issued for themselves. Keyed like `keys`. */
  programKeys?: Record<string, string> | undefined;
}

/** Length of the part of a key that `wireroom key list` shows. */
export const KEY_DISPLAY_LENGTH = 12;

/** Returns an empty profile if the file does not exist. Throws a `Failure` if it is unreadable or damaged. */
export async function readProfile(file: string): Promise<Profile> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Failure("FAILED", `cannot read the profile ${file}: ${(error as Error).message}`);
  }
  const profile = parseProfile(text);
  if (profile) return profile;
  throw new Failure("FAILED", `${file} is not a valid profile: fix it, or delete it and sign in again`);
}

function parseProfile(text: string): Profile | undefined {
  try {
    const profile = JSON.parse(text) as Profile;
    const { url = "", dataDir = "", lastEmail = "", handle = "" } = profile;
    const { signIn = {}, keys = {}, programKeys = {} } = profile;
    const isValid =
      [url, dataDir, lastEmail, handle].every((value) => typeof value === "string") &&
      [signIn, keys, programKeys].every(isStringRecord);
    return isValid ? profile : undefined;
  } catch {
    return undefined;
  }
}

function isStringRecord(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every((each) => typeof each === "string");
}

/**
 * Changes a profile under a lock, and delays Ctrl-C until the change is saved.
 * @param change returns a new profile, or its argument to change nothing; must not call `changeProfile`,
 *   because the lock is already held
 */
export async function changeProfile(
  file: string,
  change: (profile: Profile) => Profile | Promise<Profile>,
): Promise<Profile> {
  const unwritable = (error: Error) =>
    new Failure("FAILED", `cannot write the profile ${file}: ${error.message}`, [
      "Make its folder writable, or set WIREROOM_CONFIG_DIR to another one.",
    ]);
  // Load it here, because `--help` and hooks must stay fast.
  const { makeFolder } = await import("../../daemon/local/offline.js");
  try {
    makeFolder(dirname(file), 0o700);
  } catch (error) {
    throw unwritable(error as Error);
  }
  return withLock(`${file}.lock`, () =>
    deferSignals(async () => {
      const before = await readProfile(file);
      const changed = await change(before);
      if (changed === before) return before;
      const text = `${JSON.stringify(changed, null, 2)}\n`;
      await replaceFile(file, text, { mode: 0o600 }).catch((error) => {
        throw unwritable(error);
      });
      return changed;
    }),
  );
}
