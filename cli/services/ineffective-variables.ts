/** Finds environment variables that have no effect because the name is misspelt or the value is empty. */
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

/** The command that should have printed a key may have failed. */
const EMPTY_KEY = "warning: WIREROOM_API_KEY is empty and has no effect; set it to a key, or unset it";

export async function ineffectiveVariables(env: NodeJS.ProcessEnv): Promise<string[]> {
  const others = Object.keys(env).filter(
    (name) => name.startsWith(PREFIX) && ![...OWN, ...SET_BY_WATCH].includes(name),
  );
  const empty = env.WIREROOM_API_KEY === "" ? [EMPTY_KEY] : [];
  if (others.length === 0) return empty;
  const { SETTING_VARIABLES } = await import("../../daemon/settings.js");
  const known = [...OWN, ...Object.values(SETTING_VARIABLES)];
  const misspelt = others.flatMap((name) => {
    const meant = closest(name, known);
    const isSimilar = distance(name, meant) <= (name.length - PREFIX.length > 5 ? 2 : 1);
    if (known.includes(name) || !isSimilar) return [];
    return [`warning: the variable ${name} has no effect; did you mean ${meant}?`];
  });
  return [...empty, ...misspelt];
}
