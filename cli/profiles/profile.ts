/** The contents of a profile, and its file, which only the owner can read and which is replaced atomically. */
import { chmod, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Failure } from "../failure.js";
import { withoutBreak } from "../interrupts.js";
import { withLock } from "./lock.js";

/** A human's sign-in. */
export interface SignIn {
  email: string;
  /** Identity provider that issued the tokens. */
  issuer: string;
  /** Its public client. */
  clientId: string;
  idToken: string;
  refreshToken?: string | undefined;
}

/** One daemon, one human, and the keys of their handles. All of it is valid at `url` alone. */
export interface Profile {
  /** REST base url of the daemon. */
  url?: string | undefined;
  signIn?: SignIn | undefined;
  /** The handle that acts where none is named, bare. */
  handle?: string | undefined;
  /** API keys by handle, bare. */
  keys?: Record<string, string> | undefined;
}

/** The profile; an empty one where there is none yet. */
export async function readProfile(file: string): Promise<Profile> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new Failure("FAILED", `the profile ${file} cannot be read: ${(error as Error).message}`);
  }
  const profile = parsed(text);
  if (profile) return profile;
  throw new Failure("FAILED", `${file} is no profile any more: mend it, or delete it and sign in again`);
}

/** Parses a profile; undefined for anything that no version of the command has written. */
function parsed(text: string): Profile | undefined {
  try {
    const { url, signIn, handle, keys } = JSON.parse(text) as Record<string, unknown>;
    const fits =
      isTextOrAbsent(url) && isTextOrAbsent(handle) && isTexts(signIn ?? {}) && isTexts(keys ?? {});
    return fits ? (JSON.parse(text) as Profile) : undefined;
  } catch {
    return undefined;
  }
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

/** Whether it is an object whose values are all texts. */
function isTexts(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => typeof each === "string")
  );
}

/**
 * Changes a profile. `change` returns the new profile, or the same object to change nothing; it must not modify its
 * argument or call `changeProfile`. One process at a time changes a profile, Ctrl-C waits for the change, and a reader sees
 * the old file or the new one, never a part.
 */
export async function changeProfile(
  file: string,
  change: (profile: Profile) => Profile | Promise<Profile>,
): Promise<Profile> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  return withLock(`${file}.lock`, () =>
    withoutBreak(async () => {
      const before = await readProfile(file);
      const changed = await change(before);
      if (changed !== before) await replace(file, `${JSON.stringify(changed, null, 2)}\n`);
      return changed;
    }),
  );
}

async function replace(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.new`;
  try {
    const handle = await open(draft, "w", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A file left over from a crash may have other permissions.
    await chmod(draft, 0o600);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new Failure("FAILED", `the profile ${file} cannot be written: ${(error as Error).message}`);
  }
}
