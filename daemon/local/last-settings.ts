/** The settings of the last `wireroom up`. The next `wireroom up` without flags uses them again. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Flags, type Settings, settingVariables } from "../settings.js";

export interface LastSettings {
  /** Values keyed by environment variable, without passwords. */
  variables: Record<string, string>;
  /** Environment variables whose value contained a password. */
  withheld: readonly string[];
}

function fileIn(dataDir: string): string {
  return join(dataDir, "last-up.json");
}

/** Returns no settings if the file is missing or damaged. */
export async function readLastSettings(dataDir: string): Promise<LastSettings> {
  try {
    const stored = JSON.parse(await readFile(fileIn(dataDir), "utf8")) as Partial<LastSettings>;
    return { variables: stored.variables ?? {}, withheld: stored.withheld ?? [] };
  } catch {
    return { variables: {}, withheld: [] };
  }
}

/** Stores a started daemon's settings, without passwords. */
export async function writeLastSettings(
  { dataDir, databaseUrl, logFile }: Settings,
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
  const text = `${JSON.stringify({ variables, withheld } satisfies LastSettings, null, 2)}\n`;
  await writeFile(fileIn(dataDir), text, { mode: 0o600 });
}

function withoutPassword(value: string): string {
  if (!URL.canParse(value)) return value;
  const url = new URL(value);
  if (url.password === "" && !url.searchParams.has("password")) return value;
  url.password = "";
  url.searchParams.delete("password");
  return url.href;
}
