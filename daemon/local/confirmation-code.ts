import { allLines } from "./follow.js";

/** How `daemon/identity/mail.ts` names the line. */
const MESSAGE = "confirmation code";

/**
 * The code that the daemon wrote into its log for an address, where it has no mail server (decisions, section 10).
 * Gives the latest one; undefined where there is none.
 * @param since milliseconds since 1970: earlier codes do not count
 */
export async function latestConfirmationCode(
  logFile: string,
  email: string,
  since = 0,
): Promise<string | undefined> {
  const address = email.trim().toLowerCase();
  let latest: string | undefined;
  for await (const line of allLines(logFile)) {
    // Almost every line is about something else.
    if (!line.includes(MESSAGE)) continue;
    const entry = parsed(line);
    if (entry?.msg !== MESSAGE || entry.email !== address || typeof entry.code !== "string") continue;
    if (Date.parse(String(entry.time)) >= since) latest = entry.code;
  }
  return latest;
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
