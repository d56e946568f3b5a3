/** Which daemon, and who calls it: flags win over variables, those over the profile. */
import { Failure } from "../failure.js";
import type { Profile } from "./profile.js";

export const DEFAULT_URL = "http://127.0.0.1:4747/v1";

/** Choices from flags and environment; the profile supplies the rest. */
export interface Choices {
  /** `--url`. */
  url?: string | undefined;
  /** `--as`: the handle that acts. */
  as?: string | undefined;
  env: NodeJS.ProcessEnv;
}

/** The REST base url. An origin alone is completed with `/v1`. */
export function urlOf({ url, env }: Choices, profile: Profile): string {
  const text = url ?? (env.WIREROOM_URL || profile.url || DEFAULT_URL);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new Failure(
      "USAGE",
      `the daemon's url (--url, WIREROOM_URL) must be one such as ${DEFAULT_URL}, not ${JSON.stringify(text)}`,
    );
  const path = parsed.pathname.replace(/\/+$/, "");
  return `${parsed.origin}${path === "" ? "/v1" : path}`;
}

/**
 * The API key to act with. A key of the profile's goes to the profile's own daemon alone, whatever `--url` says.
 * Throws `NO_CREDENTIALS`, which says how to get one.
 */
export function keyOf(choices: Choices, profile: Profile): string {
  if (choices.env.WIREROOM_API_KEY && choices.as === undefined) return choices.env.WIREROOM_API_KEY;
  const handle = actingHandle(choices, profile) ?? "";
  const key = Object.hasOwn(profile.keys ?? {}, handle) ? profile.keys?.[handle] : undefined;
  if (key !== undefined) {
    checkHome(choices, profile, "keys");
    return key;
  }
  throw new Failure(
    "NO_CREDENTIALS",
    handle === "" ? "there is no API key to act with" : `there is no API key of @${handle} in this profile`,
    [
      `Issue and keep one: wireroom key issue ${handle || "HANDLE"} --save`,
      "or set WIREROOM_API_KEY to a key that you have.",
    ],
  );
}

/** The handle of the profile that acts, bare; undefined where none is named. */
export function actingHandle({ as, env }: Choices, profile: Profile): string | undefined {
  return bare(as ?? (env.WIREROOM_HANDLE || profile.handle || "")) || undefined;
}

/** Throws where a profile's secrets would go to another daemon than the one that gave them. */
export function checkHome(choices: Choices, profile: Profile, what: "keys" | "sign-in"): void {
  const [home, target] = homeAndTarget(choices, profile);
  if (new URL(home).origin === new URL(target).origin) return;
  throw new Failure(
    "NO_CREDENTIALS",
    `this profile's ${what === "keys" ? "keys are" : "sign-in is"} of ${home}, and not sent to ${target}`,
    [
      `Use another profile for ${target}: --profile NAME, or WIREROOM_PROFILE`,
      `or set ${what === "keys" ? "WIREROOM_API_KEY" : "WIREROOM_ID_TOKEN"}.`,
    ],
  );
}

/**
 * The profile, at home at the daemon that is spoken to, so that secrets of that daemon may be put into it. Throws
 * `USAGE` where it already holds secrets of another one.
 */
export function atHome(choices: Choices, profile: Profile): Profile {
  const [home, target] = homeAndTarget(choices, profile);
  const isEmpty = profile.signIn === undefined && Object.keys(profile.keys ?? {}).length === 0;
  if (isEmpty || new URL(home).origin === new URL(target).origin) return { ...profile, url: target };
  throw new Failure(
    "USAGE",
    `this profile holds secrets of ${home}, so none of ${target} can be put into it`,
    [`Use another profile for ${target}: --profile NAME, or WIREROOM_PROFILE`],
  );
}

function homeAndTarget(choices: Choices, profile: Profile): [home: string, target: string] {
  return [urlOf({ env: {} }, profile), urlOf(choices, profile)];
}

/** A handle's slug without its sign. */
export function bare(handle: string): string {
  return handle.replace(/^@/, "");
}
