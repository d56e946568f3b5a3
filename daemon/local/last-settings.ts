/** The settings of the last `wireroom up`. The next `wireroom up` without flags uses them again. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Flags, type Settings, settingVariables } from "../settings.js";
import { replaceFile } from "./replace-file.js";

export interface LastSettings {
  /** Values keyed by environment variable, without passwords. */
  variables: Record<string, string>;
  /** Environment variables whose value contained a password or secret. */
  withheld: readonly string[];
}

function fileIn(dataDir: string): string {
  return join(dataDir, "last-up.json");
}

/**
 * Returns no settings if the file is missing or damaged. Ignores all variables but settings, because the
 * folder may be somebody else's, and a variable such as `NODE_OPTIONS` would run code.
 */
export async function readLastSettings(dataDir: string): Promise<LastSettings> {
  try {
    const stored = JSON.parse(await readFile(fileIn(dataDir), "utf8")) as Partial<LastSettings>;
    const { variables = {}, withheld = [] } = stored;
    const { WIREROOM_DATA_DIR: _, ...settings } = settingVariables({}, variables);
    const isValid = [...Object.values(settings), ...withheld].every((each) => typeof each === "string");
    if (isValid) return { variables: settings, withheld };
  } catch {
    // The file is missing or damaged.
  }
  return { variables: {}, withheld: [] };
}

/** Stores a started daemon's settings, without passwords. */
export async function writeLastSettings(
  { dataDir, databaseUrl, logFile, oidcClientSecret }: Settings,
  flags: Flags,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { WIREROOM_DATA_DIR: _, ...values } = settingVariables(flags, env);
  // The next command may run in another folder, so store absolute paths.
  if (values.WIREROOM_DATABASE_URL) values.WIREROOM_DATABASE_URL = databaseUrl;
  if (values.WIREROOM_LOG_FILE && logFile) values.WIREROOM_LOG_FILE = logFile;
  const variables = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, withoutPassword(value)]),
  );
  const withheld = Object.keys(values).filter((name) => values[name] !== variables[name]);
  if (oidcClientSecret !== undefined) withheld.push("WIREROOM_OIDC_CLIENT_SECRET");
  const text = `${JSON.stringify({ variables, withheld } satisfies LastSettings, null, 2)}\n`;
  await replaceFile(fileIn(dataDir), text);
}

function withoutPassword(value: string): string {
  if (!URL.canParse(value)) return value;
  const url = new URL(value);
  if (url.password === "" && !url.searchParams.has("password")) return value;
  url.password = "";
  url.searchParams.delete("password");
  return url.href;
}
