/** Finds environment variables that have no effect because their name is misspelt. */
import { closest, distance } from "fastest-levenshtein";

const PREFIX = "WIREROOM_";

const named = (names: string) => names.split(" ").map((name) => PREFIX + name);

/** Variables that are not daemon settings. */
const OWN = named(
  "API_KEY CONFIG_DIR CORS_ORIGINS HANDLE ID_TOKEN LIMITS OIDC_CLIENT_SECRET PASSWORD PROFILE URL",
);
/** Variables that `wireroom watch` and `approval watch` set for their command. They are never suggested. */
const SET_BY_WATCH = named(
  "ATTEMPT CONSOLE_URL CREATED_AT FROM ID KIND REPLY_TO SCHEMA_REF SPACE TARGET TEXT THREAD_ID",
);

export async function misspeltVariables(env: NodeJS.ProcessEnv): Promise<string[]> {
  const others = Object.keys(env).filter(
    (name) => name.startsWith(PREFIX) && ![...OWN, ...SET_BY_WATCH].includes(name),
  );
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
