import { allLines } from "./follow.js";

/** Messages of the log lines in which `daemon/identity/registration/mail.ts` writes codes. */
export type CodeMessage = "confirmation code" | "password reset code";

/**
 * Returns the latest code for an address from the log of a daemon without a mail server, or undefined.
 * @param since time in milliseconds since 1970; earlier codes are skipped
 */
export async function latestCode(
  logFile: string,
  message: CodeMessage,
  email: string,
  since = 0,
): Promise<string | undefined> {
  const address = email.trim().toLowerCase();
  let latest: string | undefined;
  for await (const line of allLines(logFile)) {
    // Skips other lines without parsing their JSON.
    if (!line.includes(message)) continue;
    const entry = parsed(line);
    if (entry?.msg !== message || entry.email !== address || typeof entry.code !== "string") continue;
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
