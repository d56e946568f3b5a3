/** Finds environment variables that have no effect because their name is misspelt. */
import { closest, distance } from "fastest-levenshtein";

const PREFIX = "WIREROOM_";

/** Variables that are not daemon settings. `wireroom watch` sets those in the second line for its command. */
const NAMES = `
  API_KEY CONFIG_DIR CORS_ORIGINS HANDLE ID_TOKEN LIMITS OIDC_CLIENT_SECRET PASSWORD PROFILE URL
  ATTEMPT CREATED_AT FROM ID KIND REPLY_TO SCHEMA_REF SPACE TEXT THREAD_ID`;
const OWN = NAMES.trim()
  .split(/\s+/)
  .map((name) => PREFIX + name);

export async function misspeltVariables(env: NodeJS.ProcessEnv): Promise<string[]> {
  const others = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !OWN.includes(name));
  if (others.length === 0) return [];
  const { SETTING_VARIABLES } = await import("../../daemon/settings.js");
  const known = [...OWN, ...Object.values(SETTING_VARIABLES)];
  return others.flatMap((name) => {
    const meant = closest(name, known);
    const isSimilar = distance(name, meant) <= (name.length - PREFIX.length > 5 ? 2 : 1);
    if (known.includes(name) || !isSimilar) return [];
    return [`warning: the variable ${name} has no effect; did you mean ${meant}?`];
  });
}
